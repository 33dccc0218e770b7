import type { UnitWords } from "../rules/grammar.ts";
import { nouns, withAdjective } from "../rules/nouns.ts";

/** Symbols: singular, plural, gender. Case matters: "MB" and "Mb" differ. */
const UNITS = nouns(`
  km: chilometro, chilometri, m
  hm: ettometro, ettometri, m
  dam: decametro, decametri, m
  m: metro, metri, m
  dm: decimetro, decimetri, m
  cm: centimetro, centimetri, m
  mm: millimetro, millimetri, m
  µm: micrometro, micrometri, m
  nm: nanometro, nanometri, m
  ft ′: piede, piedi, m
  ″: pollice, pollici, m
  yd: iarda, iarde, f
  kg: chilogrammo, chilogrammi, m
  hg: ettogrammo, ettogrammi, m
  g: grammo, grammi, m
  mg: milligrammo, milligrammi, m
  µg: microgrammo, microgrammi, m
  q: quintale, quintali, m
  t: tonnellata, tonnellate, f
  lb: libbra, libbre, f
  oz: oncia, once, f
  L l: litro, litri, m
  hl: ettolitro, ettolitri, m
  dl dL: decilitro, decilitri, m
  cl: centilitro, centilitri, m
  ml mL: millilitro, millilitri, m
  mc: metro cubo, metri cubi, m
  mq: metro quadrato, metri quadrati, m
  kmq: chilometro quadrato, chilometri quadrati, m
  ha: ettaro, ettari, m
  s sec: secondo, secondi, m
  ms: millisecondo, millisecondi, m
  µs: microsecondo, microsecondi, m
  ns: nanosecondo, nanosecondi, m
  min: minuto, minuti, m
  h: ora, ore, f
  gg: giorno, giorni, m
  W: watt, watt, m
  kW: chilowatt, chilowatt, m
  MW: megawatt, megawatt, m
  GW: gigawatt, gigawatt, m
  Wh: wattora, wattora, m
  kWh: chilowattora, chilowattora, m
  MWh: megawattora, megawattora, m
  V: volt, volt, m
  mV: millivolt, millivolt, m
  kV: chilovolt, chilovolt, m
  A: ampere, ampere, m
  mA: milliampere, milliampere, m
  Ah: amperora, amperora, m
  mAh: milliamperora, milliamperora, m
  Ω: ohm, ohm, m
  J: joule, joule, m
  kJ: chilojoule, chilojoule, m
  cal: caloria, calorie, f
  kcal: chilocaloria, chilocalorie, f
  N: newton, newton, m
  Pa: pascal, pascal, m
  hPa: ettopascal, ettopascal, m
  kPa: chilopascal, chilopascal, m
  MPa: megapascal, megapascal, m
  atm: atmosfera, atmosfere, f
  bar: bar, bar, m
  mbar: millibar, millibar, m
  Hz: hertz, hertz, m
  kHz: chilohertz, chilohertz, m
  MHz: megahertz, megahertz, m
  GHz: gigahertz, gigahertz, m
  dB: decibel, decibel, m
  lm: lumen, lumen, m
  lx: lux, lux, m
  cd: candela, candele, f
  mol: mole, moli, f
  K: kelvin, kelvin, m
  rad: radiante, radianti, m
  CV: cavallo, cavalli, m
  bit: bit, bit, m
  kbit: chilobit, chilobit, m
  Mbit Mb: megabit, megabit, m
  Gbit Gb: gigabit, gigabit, m
  KB kB kb: kilo-byte, kilo-byte, m
  MB mb: mega-byte, mega-byte, m
  GB gb: giga-byte, giga-byte, m
  TB tb: tera-byte, tera-byte, m
  PB: peta-byte, peta-byte, m
  Mbps mbps: megabit al secondo, megabit al secondo, m
  Gbps gbps: gigabit al secondo, gigabit al secondo, m
  px: pixel, pixel, m
  MP: megapixel, megapixel, m
  mph mi/h: miglio orario, miglia orarie, m
  kmh km/h: chilometro orario, chilometri orari, m
  °: grado, gradi, m
  °C ℃: grado Celsius, gradi Celsius, m
  °F ℉: grado Fahrenheit, gradi Fahrenheit, m
  % ％: percento, percento
  ‰: per mille, per mille`);

export const UNIT_WORDS: UnitWords = {
  units: UNITS,
  per: "al",
  perSeveral: "ogni",
  powers: {
    "²": withAdjective("quadrato", "quadrati", "quadrata", "quadrate"),
    "³": withAdjective("cubo", "cubi", "cuba", "cube"),
  },
  ofUnit: (unit) => `di ${unit.one}`,
  halfOf: (unit) => `${unit.gender === "f" ? "mezza" : "mezzo"} ${unit.one}`,
};
