// fails: discount(100, 150)
type Cents : Integer where value >= 0;
discount(price: Cents, by: Integer where value >= 0) : Cents { price - price * by / 100 }
