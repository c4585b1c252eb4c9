// Optional fields are tested for before they are selected.
type Settings : {host: Text; port: (Integer where 0 < value && value < 65536);};
withDefaults(x: {host: Text;}) : Settings {
  {host => x.host, port => x in {port: (Integer where 0 < value && value < 65536);} ? x.port : 80}
}
portOf(x: Any) : (Integer where 0 <= value && value < 65536) { x in Settings ? x.port : 0 }
