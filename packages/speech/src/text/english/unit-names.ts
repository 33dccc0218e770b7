import { table, wordSet } from "./rule.ts";

/** Symbol: singular, plural where it is not formed with -s. Case matters: "MB" and "Mb" differ. */
export const UNIT_NAMES = table(`
  km: kilometer
  KM: kilometer
  m: meter
  cm: centimeter
  CM: centimeter
  mm: millimeter
  µm: micrometer
  nm: nanometer
  dm: decimeter
  hm: hectometer
  ly: light-year
  mi: mile
  yd: yard
  yds: yard
  ft: foot, feet
  in: inch, inches
  ″: inch, inches
  ′: foot, feet
  kg: kilogram
  KG: kilogram
  Kg: kilogram
  g: gram
  mg: milligram
  µg: microgram
  mcg: microgram
  lb: pound
  lbs: pound
  LBS: pound
  LB: pound
  oz: ounce
  L: liter
  l: liter
  ml: milliliter
  ML: milliliter
  mL: milliliter
  cl: centiliter
  dl: deciliter
  dL: deciliter
  µl: microliter
  µL: microliter
  gal: gallon
  pt: pint
  qt: quart
  ac: acre
  tbsp: tablespoon
  Tbsp: tablespoon
  tbs: tablespoon
  tsp: teaspoon
  Tsp: teaspoon
  pts: point
  mmHg: millimeter of mercury, millimeters of mercury
  ha: hectare
  s: second
  sec: second
  secs: second
  ms: millisecond
  µs: microsecond
  ns: nanosecond
  min: minute
  mins: minute
  h: hour
  hr: hour
  hrs: hour
  yr: year
  yrs: year
  mo: month
  wk: week
  wks: week
  kph: kilometer per hour, kilometers per hour
  kmh: kilometer per hour, kilometers per hour
  MPH: mile per hour, miles per hour
  mph: mile per hour, miles per hour
  mpg: mile per gallon, miles per gallon
  rpm: R.P.M, R.P.M
  bpm: beat per minute, beats per minute
  fps: frame per second, frames per second
  dpi: D.P.I, D.P.I
  ppm: part per million, parts per million
  kn: knot
  Hz: hertz, hertz
  hz: hertz, hertz
  khz: kilohertz, kilohertz
  mhz: megahertz, megahertz
  ghz: gigahertz, gigahertz
  kHz: kilohertz, kilohertz
  MHz: megahertz, megahertz
  GHz: gigahertz, gigahertz
  THz: terahertz, terahertz
  dB: decibel
  W: watt
  mW: milliwatt
  TW: terawatt
  kW: kilowatt
  MW: megawatt
  GW: gigawatt
  kWh: kilowatt hour
  kwh: kilowatt hour
  MWh: megawatt hour
  GWh: gigawatt hour
  Wh: watt hour
  V: volt
  kV: kilovolt
  mV: millivolt
  mA: milliamp
  mAh: milliamp hour
  Ω: ohm
  kΩ: kilo-ohm
  kJ: kilojoule
  cal: calorie
  kcal: kilocalorie
  Pa: pascal
  hPa: hectopascal
  kPa: kilopascal
  MPa: megapascal
  psi: P.S.I, P.S.I
  Nm: newton meter
  hp: horsepower, horsepower
  lm: lumen
  lx: lux, lux
  Wb: weber
  eV: electron volt
  rad: radian
  mol: mole
  kB: kilobyte
  KB: kilobyte
  MB: megabyte
  mb: megabyte
  gb: gigabyte
  tb: terabyte
  GB: gigabyte
  TB: terabyte
  PB: petabyte
  EB: exabyte
  KiB: kibibyte
  MiB: mebibyte
  GiB: gibibyte
  TiB: tebibyte
  Kb: kilobit
  kb: kilobit
  Mb: megabit
  Gb: gigabit
  kbps: kilobit per second, kilobits per second
  Kbps: kilobit per second, kilobits per second
  kbit/s: kilobit per second, kilobits per second
  mbps: megabit per second, megabits per second
  gbps: gigabit per second, gigabits per second
  Mbps: megabit per second, megabits per second
  Gbps: gigabit per second, gigabits per second
  kbit: kilobit
  Mbit: megabit
  Gbit: gigabit
  px: pixel
  MP: megapixel
  °: degree
  deg: degree
  atm: atmosphere
  cc: cc, cc
  °C: degree Celsius, degrees Celsius
  °F: degree Fahrenheit, degrees Fahrenheit
  ℃: degree Celsius, degrees Celsius
  ℉: degree Fahrenheit, degrees Fahrenheit
  °N: degree north, degrees north
  °S: degree south, degrees south
  °E: degree east, degrees east
  °W: degree west, degrees west
  %: percent, percent
  ％: percent, percent
  ‰: per mille, per mille
  pp: percentage point
  bps: basis point`);

/** Units only with a dot ("5 in.") or directly after a number: otherwise they are words or names. */
export const WORDLIKE_UNITS = wordSet("in pt MP pp ac rad");
