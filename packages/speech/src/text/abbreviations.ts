/** English abbreviations, for splitting sentences; their spoken forms are in `english/`. */
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Something always follows these, so their dot never ends a sentence. Lower case, inner dots kept. */
export const NEVER_LAST = words(
  `mr mrs ms mx prof gen sen rep gov lt col capt cpt sgt cmdr maj adm rev hon pres supt det insp fr messrs mme mlle
   e.g eg i.e ie vs cf viz approx incl excl figs nos vol vols pp eq ext tel attn dept v u.s.s mt`,
);

/** These may end a sentence, if the next word is one that sentences start with. */
export const MAYBE_LAST = words(
  `inc ltd co corp llc plc bros jr sr esq u.s u.k u.n e.u u.s.a d.c b.c a.d b.c.e c.e m.d b.a m.a ph.d
   dr st ave blvd rd ln hwy apt avg est al ca calif penn conn
   jan feb apr jun jul aug sept sep oct nov dec mon tue tues thu thur thurs fri`,
);

/** Units and times of day end a sentence before any capital, unless it is the name of a time zone or a day. */
export const MEASURES = words(`a.m p.m pm lb lbs oz hr hrs yd mi ft min mins sec secs tsp tbsp`);
export const TIME_NAMES = words(
  `eastern pacific central mountain est edt pst pdt cst cdt et pt ct gmt utc cet cest bst monday tuesday wednesday thursday
   friday saturday sunday`,
);

/** Also plain words: their dot belongs to an abbreviation only before a number ("No. 5", "Sec. IV"). */
export const ALSO_WORDS = words(`no c fig ch sec art op ed eds ref p mar sat sun wed in am min max`);

/** The word right after decides for `MAYBE_LAST` and for single letters: "at 5 p.m. The …" against "5 p.m. Eastern". */
export const SENTENCE_STARTERS = words(
  `the a an he she it they we i you this that these those there here in on at by for from with without as if when while
   where what who whom whose why how which but and or so yet then thus however although though because since after before
   until unless once many most some all any each every no not now just only even still also another other my your his her
   its our their is are was were do does did has have had can could will would should may might must let please thank
   thanks during under over between among despite according meanwhile later earlier today tomorrow yesterday it's he's
   she's that's there's what's i'm i've we're they're you're don't didn't`,
);
