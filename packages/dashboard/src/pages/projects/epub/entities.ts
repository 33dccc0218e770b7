/** The names that XHTML has for the characters 160 to 255, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml";

const OTHERS: Readonly<Record<string, number>> = {
  ...{ OElig: 338, oelig: 339, Scaron: 352, scaron: 353, Yuml: 376, circ: 710, tilde: 732 },
  ...{ ensp: 8194, emsp: 8195, thinsp: 8201, zwnj: 8204, zwj: 8205, ndash: 8211, mdash: 8212 },
  ...{ lsquo: 8216, rsquo: 8217, sbquo: 8218, ldquo: 8220, rdquo: 8221, bdquo: 8222, dagger: 8224, Dagger: 8225 },
  ...{ bull: 8226, hellip: 8230, permil: 8240, prime: 8242, Prime: 8243, lsaquo: 8249, rsaquo: 8250, euro: 8364 },
  ...{ trade: 8482, minus: 8722 },
};

/** The named characters of XHTML that occur in books, besides those of XML. */
export const XHTML_ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.split(" ").map((name, index) => [name, String.fromCharCode(160 + index)])),
  ...Object.fromEntries(Object.entries(OTHERS).map(([name, code]) => [name, String.fromCharCode(code)])),
};
