import type { AbbreviationWords } from "../rules/grammar.ts";
import { type Rule, table, textAt, tokenAt, wordSet } from "../rules/rule.ts";

export const ABBREVIATIONS: AbbreviationWords = {
  always: table(`
    sig.ra: signora
    sig.na: signorina
    sigg: signori
    sigg.re: signore
    dott.ssa: dottoressa
    dott.sa: dottoressa
    dr.ssa: dottoressa
    dr: dottor
    prof.ssa: professoressa
    proff: professori
    gent.mo: gentilissimo
    gent.ma: gentilissima
    preg.mo: pregiatissimo
    spett.le: spettabile
    ill.mo: illustrissimo
    ecc.mo: eccellentissimo
    egr: egregio
    ecc: eccetera
    etc: eccetera
    cfr: confronta
    p.es: per esempio
    p. es: per esempio
    v.le: viale
    p.zza: piazza
    p.za: piazza
    p.le: piazzale
    c.so: corso
    l.go: largo
    s.ta: santa
    s.to: santo
    s.p.a: S.P.A
    a.c: avanti Cristo
    d.c: dopo Cristo
    a. c: avanti Cristo
    d. c: dopo Cristo
    p.v: prossimo venturo
    f.lli: fratelli
    n°: numero
    nº: numero
    c/o: presso
    vs: versus
    ok: okei`),
  dotted: table(`
    sig: signore
    dott: dottore
    prof: professore
    avv: avvocato
    ing: ingegnere
    arch: architetto
    geom: geometra
    rag: ragioniere
    cav: cavaliere
    comm: commendatore
    mons: monsignore
    on: onorevole
    sen: senatore
    pres: presidente
    gen: generale
    col: colonnello
    cap: capitano
    ten: tenente
    mar: maresciallo
    min: minimo, minima
    temp: temperatura
    incl: inclusa
    gent: gentile
    spett: spettabile
    es: esempio
    loc: località
    tel: telefono
    cell: cellulare
    ca: circa
    max: massimo, massima
    obb: obbligatorio
    sec: secolo
    ss: santi
    lun: lunedì
    mart: martedì
    merc: mercoledì
    giov: giovedì
    ven: venerdì
    sab: sabato
    dom: domenica`),
  afterNumber: table(`
    mln: milioni
    mld: miliardi`),
  feminineArticles: wordSet("la una"),
  beforeNumber: table(`
    p: pagina
    pp: pagine
    pag: pagina
    pagg: pagine
    cap: capitolo
    capp: capitoli
    vol: volume
    voll: volumi
    fig: figura
    art: articolo
    artt: articoli
    tab: tabella
    n: numero
    nn: numeri
    nr: numero
    num: numero
    par: paragrafo
    int: interno
    ed: edizione
    #: numero`),
  // Titles lose their last vowel before a name.
  beforeName: table(`
    st: santo
    sig: signor
    dott: dottor
    prof: professor
    ing: ingegner
    rag: ragionier
    cav: cavalier
    mons: monsignor`),
};

const MEN_IN_A = wordSet("Luca Andrea Nicola Mattia Elia Barnaba Geremia Isaia Tobia Zaccaria");

/** "S. Maria" is "santa", "S. Anna" is "sant'Anna", "S. Stefano" is "santo". */
const saints: Rule = (place) => {
  const name = textAt(place, 1);
  if (textAt(place, 0) !== "S" || tokenAt(place, 0)?.after !== "." || !/^\p{Lu}\p{Ll}/u.test(name)) return undefined;
  if (/^[AEIOU]/.test(name)) return [`sant'${name}`, ""];
  if (name.endsWith("a") && !MEN_IN_A.has(name)) return ["santa"];
  return [/^S[^aeiou]/.test(name) ? "santo" : "san"];
};

export const TITLE_RULES: readonly Rule[] = [saints];
