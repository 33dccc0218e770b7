import type { AbbreviationWords } from "../rules/grammar.ts";
import { joinedNext, type Rule, table, textAt, tokenAt } from "../rules/rule.ts";

export const ABBREVIATIONS: AbbreviationWords = {
  always: table(`
    mme: madame
    mmes: mesdames
    mlle: mademoiselle
    mlles: mesdemoiselles
    mgr: monseigneur
    dr: docteur
    drs: docteurs
    dre: docteure
    pr: professeur
    mᵐᵉ: madame
    mᵐᵉˢ: mesdames
    mˡˡᵉ: mademoiselle
    mˡˡᵉˢ: mesdemoiselles
    dʳ: docteur
    dʳˢ: docteurs
    dʳᵉ: docteure
    pʳ: professeur
    prof: professeur
    mᵉ: maître
    mᵍʳ: monseigneur
    sᵗ: saint
    sᵗᵉ: sainte
    nᵒ: numéro
    nº: numéro
    n°: numéro
    nᵒˢ: numéros
    etc: etcétéra
    p.ex: par exemple
    p. ex: par exemple
    par ex: par exemple
    c.-à-d: c'est-à-dire
    càd: c'est-à-dire
    j.-c: Jésus-Christ
    av. j.-c: avant Jésus-Christ
    apr. j.-c: après Jésus-Christ
    svp: s'il vous plaît
    s.v.p: s'il vous plaît
    stp: s'il te plaît
    cie: compagnie
    vve: veuve
    c. à s: cuillères à soupe
    c. à c: cuillères à café
    qqn: quelqu'un
    qqch: quelque chose
    rdv: rendez-vous
    bd: boulevard
    bld: boulevard
    tél: téléphone
    vs: versus
    jr: junior
    ok: okay`),
  dotted: table(`
    av: avenue
    pl: place
    fg: faubourg
    env: environ
    cf: confer
    ex: exemple
    hab: habitants
    adj: adjoint
    dép: département
    éd: éditions
    resp: respectivement
    suiv: suivants
    max: maximum
    min: minimum
    incl: inclus
    gal: général
    gén: général
    cap: capitaine
    lt: lieutenant
    cdt: commandant
    apr: après
    janv: janvier
    févr: février
    juil: juillet
    sept: septembre
    oct: octobre
    nov: novembre
    déc: décembre
    lun: lundi
    mer: mercredi
    jeu: jeudi
    ven: vendredi
    sam: samedi
    dim: dimanche`),
  beforeNumber: table(`
    p: page
    pp: pages
    pg: page
    chap: chapitre
    ch: chapitre
    vol: volume
    fig: figure
    art: article
    al: alinéa
    réf: référence
    no: numéro
    n: numéro
    nos: numéros
    apt: appartement
    appt: appartement
    bât: bâtiment
    éd: édition
    #: numéro`),
  afterNumber: table(`
    min: minute`),
  beforeName: table(`
    m: monsieur
    st: saint
    ste: sainte`),
};

/** Written like other words but for their capitals: "MM." is not "mm", "Me" not "me". */
const TITLES = table(`
  MM: messieurs
  Me: maître
  Mes: maîtres
  St: saint
  Ste: sainte
  Sts: saints`);

/** "Me Dupont", "St Denis", "MM. Durand". */
const titles: Rule = (place) => {
  const said = TITLES.get(textAt(place, 0));
  const dotted = tokenAt(place, 0)?.after === ".";
  const next = dotted ? textAt(place, 1) : joinedNext(place);
  return said !== undefined && /^\p{Lu}\p{Ll}/u.test(next) ? [said] : undefined;
};

/** "St-Denis". */
const saints: Rule = (place) => {
  const [, title = "", name = ""] = /^(Ste?s?)-(\p{Lu}.*)$/u.exec(textAt(place, 0)) ?? [];
  const said = { St: "Saint", Ste: "Sainte", Sts: "Saints", Stes: "Saintes" }[title];
  return said === undefined ? undefined : [`${said}-${name}`];
};

export const TITLE_RULES: readonly Rule[] = [titles, saints];
