import type { UnitWords } from "../rules/grammar.ts";
import { nouns, withAdjective } from "../rules/nouns.ts";
import type { Region } from "./number-words.ts";

/** The vowel that Brazil writes with a circumflex and Portugal with an acute. */
const meters = (region: Region): string => (region === "br" ? "ô" : "ó");

export const unitsOf = (region: Region): UnitWords => ({
  units: nouns(`
    km Km KM: quil${meters(region)}metro, quil${meters(region)}metros, m
    m: metro, metros, m
    dm: decímetro, decímetros, m
    cm: centímetro, centímetros, m
    mm: milímetro, milímetros, m
    µm: micr${meters(region)}metro, micr${meters(region)}metros, m
    nm: nan${meters(region)}metro, nan${meters(region)}metros, m
    mi: milha, milhas, f
    ft: pé, pés, m
    yd: jarda, jardas, f
    ″ pol: polegada, polegadas, f
    kg Kg KG: quilo, quilos, m
    g gr: grama, gramas, m
    mg: miligrama, miligramas, m
    µg mcg: micrograma, microgramas, m
    lb lbs: libra, libras, f
    oz: onça, onças, f
    t ton: tonelada, toneladas, f
    l L: litro, litros, m
    hl: hectolitro, hectolitros, m
    dl dL: decilitro, decilitros, m
    cl: centilitro, centilitros, m
    ml mL: mililitro, mililitros, m
    gal: galão, galões, m
    ha: hectare, hectares, m
    ac: acre, acres, m
    h hs: hora, horas, f
    min mins: minuto, minutos, m
    s seg: segundo, segundos, m
    ms: milissegundo, milissegundos, m
    µs: microssegundo, microssegundos, m
    kmh: quil${meters(region)}metro por hora, quil${meters(region)}metros por hora, m
    mph: milha por hora, milhas por hora, f
    rpm: rotação por minuto, rotações por minuto, f
    bpm: batimento por minuto, batimentos por minuto, m
    fps: quadro por segundo, quadros por segundo, m
    ppm: parte por milhão, partes por milhão, f
    kn: nó, nós, m
    Hz hz: hertz, hertz, m
    kHz: quilohertz, quilohertz, m
    MHz: megahertz, megahertz, m
    GHz: gigahertz, gigahertz, m
    dB: decibel, decibéis, m
    W: watt, watts, m
    kW: quilowatt, quilowatts, m
    MW: megawatt, megawatts, m
    GW: gigawatt, gigawatts, m
    kWh: quilowatt-hora, quilowatts-hora, m
    MWh: megawatt-hora, megawatts-hora, m
    V v: volt, volts, m
    kV: quilovolt, quilovolts, m
    mA: miliampere, miliamperes, m
    mAh: miliampere-hora, miliamperes-hora, m
    Ω: ohm, ohms, m
    J: joule, joules, m
    kJ: quilojoule, quilojoules, m
    cal: caloria, calorias, f
    kcal: quilocaloria, quilocalorias, f
    N: newton, newtons, m
    Pa: pascal, pascals, m
    hPa: hectopascal, hectopascals, m
    kPa: quilopascal, quilopascals, m
    MPa: megapascal, megapascals, m
    bar: bar, bars, m
    atm: atmosfera, atmosferas, f
    psi: P.S.I, P.S.I, m
    hp: cavalo-vapor, cavalos-vapor, m
    cv: cavalo, cavalos, m
    mol: mol, mols, m
    lm: lúmen, lúmens, m
    K: kelvin, kelvins, m
    kB KB kb: quilobyte, quilobytes, m
    MB mb: megabyte, megabytes, m
    GB gb: gigabyte, gigabytes, m
    TB tb: terabyte, terabytes, m
    kbps Kbps: quilobit por segundo, quilobits por segundo, m
    Mbps mbps: megabit por segundo, megabits por segundo, m
    Gbps gbps: gigabit por segundo, gigabits por segundo, m
    px: pixel, pixels, m
    °: grau, graus, m
    °C °c ℃ ºC ºc: grau Celsius, graus Celsius, m
    °F °f ℉ ºF: grau Fahrenheit, graus Fahrenheit, m
    °N: grau norte, graus norte, m
    °S: grau sul, graus sul, m
    °E °L: grau leste, graus leste, m
    °O °W: grau oeste, graus oeste, m
    %: por cento, por cento
    ‰: por mil, por mil`),
  per: "por",
  powers: {
    "²": withAdjective("quadrado", "quadrados", "quadrada", "quadradas"),
    "³": withAdjective("cúbico", "cúbicos", "cúbica", "cúbicas"),
  },
  ofUnit: (unit) => `de ${unit.one}`,
  halfOf: (unit) => `${unit.gender === "f" ? "meia" : "meio"} ${unit.one}`,
});
