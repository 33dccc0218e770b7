import { joinedNext, type Place, type Rule, table, textAt, tokenAt, wordSet } from "./rule.ts";

/** Expanded everywhere, with or without their dot. */
const ALWAYS = table(`
  Mr: mister
  Mrs: missus
  Ms: miz
  Messrs: messieurs
  Prof: professor
  Capt: captain
  Cpt: captain
  Sgt: sergeant
  Cmdr: commander
  Lt: lieutenant
  Gov: governor
  Supt: superintendent
  Jr: junior
  Sr: senior
  Esq: esquire
  Ltd: limited
  Corp: corporation
  Bros: brothers
  Blvd: boulevard
  Hwy: highway
  Pkwy: parkway
  e.g: for example
  eg: for example
  E.g: for example
  I.e: that is
  i.e: that is
  etc: et cetera
  vs: versus
  cf: compare
  viz: namely
  approx: approximately
  appt: appointment
  dept: department
  govt: government
  hrs: hours
  mins: minutes
  secs: seconds
  yrs: years
  lbs: pounds
  assn: association
  misc: miscellaneous
  w/o: without
  w/: with
  b/c: because
  c/o: care of
  n/a: not applicable
  N/A: not applicable
  a/c: A.C
  a.k.a: also known as
  aka: also known as
  vols: volumes
  figs: figures
  btw: by the way
  fyi: F.Y.I
  idk: I don't know
  tbh: to be honest
  brb: be right back
  omg: O.M.G
  WWI: World War One
  WWII: World War Two
  YoY: year over year
  QoQ: quarter over quarter
  OK: okay
  ok: okay
  Ph.D: P.H.D
  PhD: P.H.D
  PhDs: P.H D's
  Ph.D.s: P.H D's
  'n: and
  'em: 'em
  Ctrl: control
  Cmd: command
  Esc: escape
  &c: et cetera`);

/** Also words or names: abbreviations only with a dot and a following word, or before a number. */
const WITH_DOT = table(`
  Inc: incorporated
  Co: company
  Gen: general
  Sen: senator
  Rep: representative
  Rev: reverend
  Hon: honorable
  Pres: president
  Maj: major
  Col: colonel
  Adm: admiral
  Det: detective
  Fr: father
  Ave: avenue
  Rd: road
  Ln: lane
  Sq: square
  Mt: mount
  Ft: fort
  Apt: apartment
  Bldg: building
  Dept: department
  est: established
  Est: established
  avg: average
  Avg: average
  min: minimum
  max: maximum
  ext: extension
  Ext: extension
  tel: telephone
  Tel: telephone
  attn: attention
  Attn: attention
  incl: including
  excl: excluding
  ed: edition
  eds: editors
  al: al
  Univ: university
  Inst: institute
  Assoc: associates
  ca: circa
  v: versus
  op: opus`);

/** Only before a number: "p. 5", "Fig. 3", "Vol. 2". */
const BEFORE_NUMBER = table(`
  p: page
  c: circa
  pp: pages
  pg: page
  vol: volume
  ch: chapter
  fig: figure
  eq: equation
  sec: section
  art: article
  ref: reference
  rt: route
  rte: route
  op: opus
  no: number
  apt: apartment
  ext: extension
  v: version
  ver: version`);

/** Before a number even without their dot. */
const UNDOTTED = wordSet("apt ext vol fig ver");

const always: Rule = (place) => {
  const text = textAt(place, 0);
  const said = ALWAYS.get(text);
  return said === undefined ? undefined : [said];
};

/** "Yes... no. 50/50.": "no" is the answer. */
export const isAnswer = (place: Place): boolean =>
  textAt(place, 0) === "no" && /[.…!?,;]$/.test(tokenAt(place, -1)?.after ?? "");

const withDot: Rule = (place) => {
  const text = textAt(place, 0);
  const dotted = tokenAt(place, 0)?.after.startsWith(".") ?? false;
  const numbered = BEFORE_NUMBER.get(text.toLowerCase());
  if (!dotted && UNDOTTED.has(text.toLowerCase()) && /^#?\d/.test(joinedNext(place))) return [numbered ?? text];
  if (!dotted || isAnswer(place)) return undefined;
  if (numbered !== undefined && /^(?:\d|[IVXL]+$)/.test(textAt(place, 1))) return [numbered];
  // At the end of a sentence the dot may be the sentence's: only what is no word of its own is read out there.
  const last = tokenAt(place, 1) === undefined;
  if (last && /^(?:min|max|al|ed|op|v|ca|Gen|Sen|Rep|Col|Fr|Rev)$/.test(text)) return undefined;
  const said = WITH_DOT.get(text);
  return said === undefined ? undefined : [said];
};

const startsUpper = (text: string): boolean => /^\p{Lu}/u.test(text);
const houseNumber = (place: Place): boolean =>
  [-2, -3, -4].some((offset) => /^\d{1,5}[A-Z]?$/.test(textAt(place, offset)));

/** "Dr. Smith" and "Elm Dr.", "St. Louis" and "12 Main St." */
const ambiguous: Rule = (place) => {
  const text = textAt(place, 0);
  if (text !== "Dr" && text !== "St" && text !== "Drs" && text !== "Sts") return undefined;
  const next = /^\.?$/.test(tokenAt(place, 0)?.after ?? "!") ? textAt(place, 1) : "";
  const previous = tokenAt(place, -1)?.after === "" ? textAt(place, -1) : "";
  const street = startsUpper(previous) && (!startsUpper(next) || houseNumber(place));
  if (text.startsWith("Dr")) return [street ? "drive" : text === "Drs" ? "doctors" : "doctor"];
  return [street || /^\d+(?:st|nd|rd|th)$/.test(previous) ? "street" : startsUpper(next) ? "saint" : "street"];
};

/** "Mt Everest" without its dot. */
const mount: Rule = (place) => {
  const text = textAt(place, 0);
  if ((text !== "Mt" && text !== "Ft") || !startsUpper(joinedNext(place))) return undefined;
  return [text === "Mt" ? "mount" : "fort"];
};

export const ABBREVIATION_RULES: readonly Rule[] = [always, ambiguous, withDot, mount];
