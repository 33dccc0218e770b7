import type { UnitWords } from "../rules/grammar.ts";
import { nouns, withAdjective } from "../rules/nouns.ts";

/** Symbols: singular, plural, gender. Case matters: "MB" and "Mb" differ. */
const UNITS = nouns(`
  km: kilomètre, kilomètres, m
  hm: hectomètre, hectomètres, m
  m: mètre, mètres, m
  dm: décimètre, décimètres, m
  cm: centimètre, centimètres, m
  mm: millimètre, millimètres, m
  µm: micromètre, micromètres, m
  nm: nanomètre, nanomètres, m
  ft ′: pied, pieds, m
  ″: pouce, pouces, m
  kg: kilogramme, kilogrammes, m
  g: gramme, grammes, m
  mg: milligramme, milligrammes, m
  µg: microgramme, microgrammes, m
  q: quintal, quintaux, m
  t: tonne, tonnes, f
  lb: livre, livres, f
  oz: once, onces, f
  L l: litre, litres, m
  hl: hectolitre, hectolitres, m
  dl dL: décilitre, décilitres, m
  cl cL: centilitre, centilitres, m
  ml mL: millilitre, millilitres, m
  ha: hectare, hectares, m
  s sec: seconde, secondes, f
  ms: milliseconde, millisecondes, f
  µs: microseconde, microsecondes, f
  ns: nanoseconde, nanosecondes, f
  min mn: minute, minutes, f
  h: heure, heures, f
  j: jour, jours, m
  W: watt, watts, m
  kW: kilowatt, kilowatts, m
  MW: mégawatt, mégawatts, m
  GW: gigawatt, gigawatts, m
  Wh: wattheure, wattheures, m
  kWh: kilowattheure, kilowattheures, m
  MWh: mégawattheure, mégawattheures, m
  GWh: gigawattheure, gigawattheures, m
  V: volt, volts, m
  mV: millivolt, millivolts, m
  kV: kilovolt, kilovolts, m
  A: ampère, ampères, m
  mA: milliampère, milliampères, m
  mAh: milliampère-heure, milliampères-heure, m
  Ω: ohm, ohms, m
  kΩ: kiloohm, kiloohms, m
  J: joule, joules, m
  kJ: kilojoule, kilojoules, m
  cal: calorie, calories, f
  kcal: kilocalorie, kilocalories, f
  N: newton, newtons, m
  Pa: pascal, pascals, m
  hPa: hectopascal, hectopascals, m
  kPa: kilopascal, kilopascals, m
  bar: bar, bars, m
  mbar: millibar, millibars, m
  Hz: hertz, hertz, m
  kHz: kilohertz, kilohertz, m
  MHz: mégahertz, mégahertz, m
  GHz: gigahertz, gigahertz, m
  THz: térahertz, térahertz, m
  dB: décibel, décibels, m
  lm: lumen, lumens, m
  lx: lux, lux, m
  cd: candela, candelas, f
  mol: mole, moles, f
  K: kelvin, kelvins, m
  rad: radian, radians, m
  ch: cheval, chevaux, m
  B: octet, octets, m
  Ko ko KB kB kb: kilooctet, kilooctets, m
  Mo mo MB mb: mégaoctet, mégaoctets, m
  Go go GB gb: gigaoctet, gigaoctets, m
  To TB tb: téraoctet, téraoctets, m
  Po: pétaoctet, pétaoctets, m
  Mb Mbit: mégabit, mégabits, m
  Gb Gbit: gigabit, gigabits, m
  kbit: kilobit, kilobits, m
  Mbps mbps: mégabit par seconde, mégabits par seconde, m
  Gbps gbps: gigabit par seconde, gigabits par seconde, m
  px: pixel, pixels, m
  Mpx MP: mégapixel, mégapixels, m
  dpi: point par pouce, points par pouce, m
  tr: tour, tours, m
  mph: mille à l'heure, milles à l'heure, m
  kmh km/h: kilomètre heure, kilomètres heure, m
  °: degré, degrés, m
  °C ℃: degré Celsius, degrés Celsius, m
  °F ℉: degré Fahrenheit, degrés Fahrenheit, m
  % ％: pour cent, pour cent
  ‰: pour mille, pour mille`);

const ofUnit = (name: string): string => (/^[aeiouyhé]/.test(name) ? `d'${name}` : `de ${name}`);

export const UNIT_WORDS: UnitWords = {
  units: UNITS,
  per: "par",
  perSeveral: "aux",
  powers: {
    "²": withAdjective("carré", "carrés", "carrée", "carrées"),
    "³": withAdjective("cube", "cubes"),
  },
  ofUnit: (unit) => ofUnit(unit.one),
  halfOf: (unit) => `${unit.gender === "f" ? "une" : "un"} demi-${unit.one}`,
};
