import type { UnitWords } from "../rules/grammar.ts";
import { nouns, withAdjective } from "../rules/nouns.ts";

export const units: UnitWords = {
  units: nouns(`
    km Km KM: kilómetro, kilómetros, m
    hm: hectómetro, hectómetros, m
    m mt mts: metro, metros, m
    dm: decímetro, decímetros, m
    cm: centímetro, centímetros, m
    mm: milímetro, milímetros, m
    µm: micrómetro, micrómetros, m
    nm: nanómetro, nanómetros, m
    mi: milla, millas, f
    ft: pie, pies, m
    yd: yarda, yardas, f
    ″: pulgada, pulgadas, f
    kg Kg KG kgs: kilogramo, kilogramos, m
    g gr: gramo, gramos, m
    mg: miligramo, miligramos, m
    µg mcg: microgramo, microgramos, m
    lb lbs: libra, libras, f
    oz: onza, onzas, f
    t: tonelada, toneladas, f
    l L lt lts: litro, litros, m
    hl: hectolitro, hectolitros, m
    dl dL: decilitro, decilitros, m
    cl: centilitro, centilitros, m
    ml mL: mililitro, mililitros, m
    gal: galón, galones, m
    ha: hectárea, hectáreas, f
    ac: acre, acres, m
    cc: centímetro cúbico, centímetros cúbicos, m
    h hs hr hrs: hora, horas, f
    min mins: minuto, minutos, m
    s seg segs sec: segundo, segundos, m
    ms: milisegundo, milisegundos, m
    µs: microsegundo, microsegundos, m
    ns: nanosegundo, nanosegundos, m
    kph kmh: kilómetro por hora, kilómetros por hora, m
    mph: milla por hora, millas por hora, f
    rpm: revolución por minuto, revoluciones por minuto, f
    fps: fotograma por segundo, fotogramas por segundo, m
    lpm ppm: parte por millón, partes por millón, f
    kn: nudo, nudos, m
    Hz hz: hercio, hercios, m
    kHz khz: kilohercio, kilohercios, m
    MHz mhz: megahercio, megahercios, m
    GHz ghz: gigahercio, gigahercios, m
    dB db: decibelio, decibelios, m
    W w: vatio, vatios, m
    kW kw KW: kilovatio, kilovatios, m
    MW: megavatio, megavatios, m
    GW: gigavatio, gigavatios, m
    kWh kwh: kilovatio hora, kilovatios hora, m
    MWh: megavatio hora, megavatios hora, m
    GWh: gigavatio hora, gigavatios hora, m
    V v: voltio, voltios, m
    kV: kilovoltio, kilovoltios, m
    mA: miliamperio, miliamperios, m
    mAh: miliamperio hora, miliamperios hora, m
    Ω: ohmio, ohmios, m
    J: julio, julios, m
    kJ: kilojulio, kilojulios, m
    cal: caloría, calorías, f
    kcal: kilocaloría, kilocalorías, f
    N: newton, newtons, m
    Nm: newton metro, newtons metro, m
    Pa: pascal, pascales, m
    hPa: hectopascal, hectopascales, m
    kPa: kilopascal, kilopascales, m
    MPa: megapascal, megapascales, m
    bar: bar, bares, m
    atm: atmósfera, atmósferas, f
    psi: P.S.I, P.S.I, m
    hp: caballo de fuerza, caballos de fuerza, m
    CV: caballo, caballos, m
    mol: mol, moles, m
    lm: lumen, lúmenes, m
    K: kelvin, kelvin, m
    bit: bit, bits, m
    kB KB kb: kilobyte, kilobytes, m
    MB mb: megabyte, megabytes, m
    GB gb: gigabyte, gigabytes, m
    TB tb: terabyte, terabytes, m
    kbps Kbps: kilobit por segundo, kilobits por segundo, m
    Mbps mbps: megabit por segundo, megabits por segundo, m
    Gbps gbps: gigabit por segundo, gigabits por segundo, m
    px: píxel, píxeles, m
    °: grado, grados, m
    °C °c ℃ ºC ºc: grado centígrado, grados centígrados, m
    °F °f ℉ ºF ºf: grado fahrenheit, grados fahrenheit, m
    °N: grado norte, grados norte, m
    °S: grado sur, grados sur, m
    °E: grado este, grados este, m
    °O °W: grado oeste, grados oeste, m
    %: por ciento, por ciento
    ‰: por mil, por mil`),
  per: "por",
  powers: {
    "²": withAdjective("cuadrado", "cuadrados", "cuadrada", "cuadradas"),
    "³": withAdjective("cúbico", "cúbicos", "cúbica", "cúbicas"),
  },
  ofUnit: (unit) => `de ${unit.one}`,
  halfOf: (unit) => `${unit.gender === "f" ? "media" : "medio"} ${unit.one}`,
};
