/**
 * Abbreviations, for splitting sentences; their spoken forms are in the folders of the languages. The language of a sentence is
 * not known yet when a text is split, so no word of another language may be among them.
 */
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Something always follows these, so their dot never ends a sentence. Lower case, inner dots kept. */
export const NEVER_LAST = words(
  `mr mrs ms mx prof gen sen rep gov lt col capt cpt sgt cmdr maj adm rev hon pres supt det insp fr messrs mme mlle
   e.g eg i.e ie vs cf viz approx incl excl figs nos vol vols pp eq ext tel attn dept misc v u.s.s mt sq rte
   डॉ डा प्रो इं इंजी वै मा ले लेफ्टि कु सु पं स्व कै कर्न ब्रिगे मे न्या एड एडवो अधि मो मु मि रेव चौ ठा सं क्र नं पृ रु दि उदा वि ई पू
   कि मी से ग्रा rs
   bzw z.b d.h ggf evtl bspw vgl inkl hrsg mio mrd abb kap
   jl telp kab kec bpk hlm`,
);

/** These may end a sentence, if the next word is one that sentences start with. */
export const MAYBE_LAST = words(
  `inc ltd co corp llc plc bros jr sr esq u.s u.k u.n e.u u.s.a d.c b.c a.d b.c.e c.e m.d b.a m.a ph.d
   dr st ave blvd rd ln hwy apt avg est al ca calif penn conn
   jan feb apr jun jul aug sept sep oct nov dec mon tue tues thu thur thurs fri`,
);

/** As above, in Spanish, Portuguese, French and Italian. */
export const ROMANCE_NEVER_LAST = words(
  `sra srta sres sras dra dres dña profa lic arq gral tte sgto núm núms nro pág págs fdo pdte vda rvdo cda cdas cdta cdtas cdita
   srs exmo exma ilmo ilma mons séc sécs pça jd telf tfno p.ej p.ex aprox arts ee rr jj
   bd bld chap bât réf tél env éd dép hab mgr cdt fg c.-à-d ndlr
   sig sigg sig.ra sig.na dott dott.ssa dr.ssa prof.ssa proff avv ing geom cav egr spett cfr pag pagg artt voll capp`,
);
export const ROMANCE_MAYBE_LAST = words(
  `ud uds vd vds av avda pza plza ctra izq izqda dcha depto dpto uu hh a.c d.c ltda ene abr dic fev miér vier sáb máx mín
   j.-c janv févr fév juil juill déc febbr magg giu lugl sett ott merc giov s.p.a s.r.l`,
);
/** Words that start a sentence after one of those. */
export const ROMANCE_STARTERS = words(
  `el la los las un una en y pero no se es son su sus este esta esto por para con cuando como si al del él ella ellos o os
   as um uma e mas não eu você ele ela na nos nas isso
   le les une il elle on nous vous ils elles ce cette ces dans et mais à lo i gli nel nella ma è sono questo questa quando`,
);

/** After a number with a dot, which is a German ordinal then: "am 3. Mai". */
export const GERMAN_MONTHS = words(
  "januar februar märz april mai juni juli august september oktober november dezember",
);

/** Units and times of day end a sentence before any capital, unless it is the name of a time zone or a day. */
export const MEASURES = words(`a.m p.m pm lb lbs oz hr hrs yd mi ft min mins sec secs tsp tbsp`);
export const TIME_NAMES = words(
  `eastern pacific central mountain est edt pst pdt cst cdt et pt ct gmt utc cet cest bst monday tuesday wednesday thursday
   friday saturday sunday`,
);

/** Also plain words: their dot belongs to an abbreviation only before a number ("No. 5", "Sec. IV"). */
export const ALSO_WORDS = words(
  `no c rt exp fig ch sec art op ed eds ref p mar sat sun wed in am min max cap s ss t n vol apto caps nn nr al tab int num par may lun jue vie dom ver`,
);

/** The word right after decides for `MAYBE_LAST` and for single letters: "at 5 p.m. The …" against "5 p.m. Eastern". */
export const SENTENCE_STARTERS = words(
  `the a an he she it they we i you this that these those there here in on at by for from with without as if when while
   where what who whom whose why how which but and or so yet then thus however although though because since after before
   until unless once many most some all any each every no not now just only even still also another other my your his her
   its our their is are was were do does did has have had can could will would should may might must let please thank
   thanks during under over between among despite according meanwhile later earlier today tomorrow yesterday it's he's
   she's that's there's what's i'm i've we're they're you're don't didn't`,
);
