type Cents : Integer where value >= 0;
type Percent : Integer where 0 <= value && value <= 100;
discount(price: Cents, by: Percent) : (r: Cents where r <= price) { price - price * by / 100 }
split(total: Cents, ways: Integer where value > 0) : {each: Cents; rest: (Integer where 0 <= value && value < ways);} {
  {each => total / ways, rest => total - total / ways * ways}
}
