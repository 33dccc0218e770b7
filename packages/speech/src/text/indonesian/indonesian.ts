import { readerFor } from "../rules/engine.ts";
import type { ClockTime, Grammar } from "../rules/grammar.ts";
import { currencies, nouns, withAdjective } from "../rules/nouns.ts";
import type { Language } from "../rules/reader.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { cardinal, digitByDigit, ordinal } from "./number-words.ts";

const MONTHS = "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember".split(" ");
const NEVER = /(?!)/;
const ROMAN_WORDS = wordSet("bab abad jilid bagian pasal kelas babak seri tahap");

/** "14.30" is "empat belas lewat tiga puluh". */
function sayTime({ hour, minute, second }: ClockTime): string {
  const seconds = second === undefined ? "" : ` ${cardinal(String(second))} detik`;
  if (minute === 0 && second === undefined) return cardinal(String(hour));
  return `${cardinal(String(hour))} lewat ${cardinal(String(minute))}${second === undefined ? "" : ` menit${seconds}`}`;
}

const grammar: Grammar = {
  numbers: {
    cardinal,
    ordinal,
    digits: digitByDigit,
    decimals: digitByDigit,
    decimalMark: ",",
    point: (mark) => (mark === "," ? "koma" : "titik"),
    minus: "minus",
    plus: "plus",
    range: "sampai",
    times: { one: "kali", many: "kali", gender: undefined },
    scaleWords: /^(?:ribu|juta|miliar|triliun)$/i,
    scaleSigns: new Map([
      ["rb", ["ribu", "ribu"]],
      ["jt", ["juta", "juta"]],
    ]),
  },
  money: {
    currencies: currencies(`
      Rp rp IDR: rupiah; sen
      $ US$ USD: dolar; sen
      € EUR: euro; sen
      £ GBP: pound; pence
      ¥ JPY: yen
      S$ SGD: dolar Singapura; sen
      RM MYR: ringgit; sen`),
    joint: "",
    of: (name) => name,
  },
  units: {
    units: nouns(`
      km: kilometer
      m: meter
      cm: sentimeter
      mm: milimeter
      kg: kilogram
      g gr: gram
      mg: miligram
      t: ton
      l L: liter
      ml: mililiter
      ha: hektare
      jam: jam
      dtk: detik
      W: watt
      kW: kilowatt
      kWh: kilowatt jam
      V: volt
      Hz: hertz
      MHz: megahertz
      GHz: gigahertz
      KB: kilobita
      MB: megabita
      GB: gigabita
      TB: terabita
      km/h km/jam: kilometer per jam
      °: derajat
      °C ℃: derajat Celsius
      °F: derajat Fahrenheit
      %: persen`),
    per: "per",
    powers: { "²": withAdjective("persegi", "persegi"), "³": withAdjective("kubik", "kubik") },
    ofUnit: (unit) => unit.one,
    halfOf: (unit) => `setengah ${unit.one}`,
  },
  dates: {
    months: MONTHS,
    shortMonths: new Map([
      ...MONTHS.map((name, index): [string, number] => [name.slice(0, 3).toLowerCase(), index + 1]),
      ["agt", 8],
      ["sept", 9],
    ]),
    joints: NEVER,
    say: (date, month, year) => `${date} ${month}${year === undefined ? "" : ` ${year}`}`,
    day: cardinal,
    year: cardinal,
    joint: "",
    range: "sampai",
    context: /^(?:tanggal|tgl|pada|sejak|hingga)$/i,
  },
  times: { say: sayTime, hourSign: /^(?:WIB|WITA|WIT)$/, context: /^(?:pukul|jam|pkl)$/i, range: "sampai" },
  fractions: {
    say: (over, under) => {
      if (Number(under) < 2 || over === "0" || over.length > 6 || under.length > 6) return undefined;
      if (over === "1" && under === "2") return "setengah";
      return `${over === "1" ? "se" : `${cardinal(over)} `}per${under === "1" ? "" : cardinal(under)}`;
    },
    mixed: (whole, part) => `${cardinal(whole)} ${part}`,
  },
  ordinals: { pattern: /^ke-(\d{1,9})()$/, say: ordinal },
  roman: {
    ruler: (value) => ordinal(String(value)),
    rulers: new Set(),
    before: ROMAN_WORDS,
    numbered: (value) => cardinal(String(value)),
    after: new Map(),
  },
  abbreviations: {
    always: table(`
      dr: dokter
      dll: dan lain-lain
      dsb: dan sebagainya
      dst: dan seterusnya
      yg: yang
      dgn: dengan
      tgl: tanggal
      hlm: halaman
      pkl: pukul
      spt: seperti
      tsb: tersebut`),
    dotted: table(`
      prof: profesor
      jl: jalan
      no: nomor
      tel: telepon
      telp: telepon
      kab: kabupaten
      kec: kecamatan
      bpk: bapak`),
    beforeNumber: table(`
      no: nomor
      hal: halaman
      #: nomor`),
  },
  addresses: {
    signs: {
      ".": "titik",
      "/": "garis miring",
      "-": "strip",
      _: "garis bawah",
      "@": "at",
      ":": "titik dua",
      "&": "dan",
    },
    parts: table(`
      com: com
      id: I.D
      co: co
      gmail: gmail`),
    pronounceable: isRomanceWord,
    hashtag: "tagar",
    version: "versi",
  },
  phones: {
    extension: "ekstensi",
    extensionSigns: wordSet("ext ekst"),
    spaced: /^08\d{2}(?:[ -]\d{3,4}){2}$/,
  },
  symbols: {
    always: table(`
      &: dan
      @: at
      %: persen
      °: derajat
      ≈: kira-kira
      ±: kurang lebih
      ÷: dibagi`),
    between: table(`
      +: tambah
      -: kurang
      –: sampai
      =: sama dengan
      ×: kali
      *: kali
      x: kali
      /: per
      <: kurang dari
      >: lebih dari`),
    leads: table(`
      ~: sekitar
      ≈: sekitar
      <: kurang dari
      >: lebih dari`),
    powers: { "²": "kuadrat", "³": "pangkat tiga" },
  },
};

const reader = readerFor(grammar);

/** The basics: numbers, dates, times, money, units and common abbreviations. */
export const indonesian: Language = { code: "id", reader: () => reader };
