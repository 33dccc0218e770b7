const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

interface CommonWords {
  /** Many belong to several languages, and to names: "Los Angeles". */
  readonly functionWords: ReadonlySet<string>;
  /** Said alone, and in one language only. */
  readonly greetings: ReadonlySet<string>;
}

const COMMON_WORDS: Readonly<Record<string, CommonWords>> = {
  en: {
    functionWords: words(`
      the an and or but not is are was were be been am you he she it we they me him her us them my your his our their this
      that these those of to in on at by for with from as if so do does did have has had will would can could what who where
      when why how there here all no up out very more just then than`),
    greetings: words("yes please hello hi thanks goodbye bye okay sorry"),
  },
  de: {
    functionWords: words(`
      der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war waren bin bist ich du er sie wir ihr
      mich mir dich dir ihn ihm uns mein dein sein unser von zu zum zur im am auf aus bei mit nach für über um wenn dass so hat
      haben habe wird werden kann was wer wo wann warum wie da hier alle kein noch nur sehr mehr auch schon`),
    greetings: words("ja nein bitte hallo danke tschüss guten entschuldigung morgen"),
  },
  es: {
    functionWords: words(`
      el la los las un una unos unas pero no es son era está están soy eres yo tú él ella nosotros ellos me te se lo le mi tu su
      de del al en por para con sin que qué quién dónde cuándo cómo como muy más hoy hay tengo quiero`),
    greetings: words("hola gracias adiós sí buenos buenas señor señora vale perdón mañana"),
  },
  fr: {
    functionWords: words(`
      le la les un une des du de et ou mais ne pas est sont était suis je tu il elle nous vous ils elles me te se ce cette ces
      mon ton son ma ta sa au aux en dans par pour avec sans que qui où quand comment très plus quelle`),
    greetings: words("oui non bonjour bonsoir salut merci voilà pardon monsieur madame bonne revoir demain"),
  },
  id: {
    functionWords: words(`
      yang dan atau tetapi tidak bukan adalah itu ini saya kamu anda dia kami kita mereka di ke dari pada untuk dengan oleh
      dalam akan sudah telah sedang bisa dapat harus ada apa siapa mana kapan mengapa bagaimana sangat lebih juga hanya`),
    greetings: words("halo terima kasih tolong selamat maaf besok silakan"),
  },
  it: {
    functionWords: words(`
      il lo la gli le un uno una ma non sono era sei io tu lui lei noi voi loro mi ti si ci di del della dei al alla in nel da
      dal per con su che chi dove quando come molto più ho hai questo questa`),
    greetings: words("sì ciao grazie buongiorno buonasera prego scusi arrivederci domani buona"),
  },
  pt: {
    functionWords: words(`
      os as um uma uns umas ou mas não são era está estão sou eu tu você ele ela nós eles me te se de do da dos das em no na nos
      nas por para com sem que quem onde quando como muito mais hoje há meu minha seu sua isso este esta estou`),
    greetings: words("sim olá obrigado obrigada tchau desculpe boa amanhã"),
  },
};

export const COMMON_LANGUAGES: readonly string[] = Object.keys(COMMON_WORDS);

/** The share of words that are function words of a language. */
export const functionWordShare = (list: readonly string[], language: string): number =>
  share(list, COMMON_WORDS[language]?.functionWords);

/** The share of words that are greetings of a language. */
export const greetingShare = (list: readonly string[], language: string): number =>
  share(list, COMMON_WORDS[language]?.greetings);

function share(list: readonly string[], known: ReadonlySet<string> | undefined): number {
  return known === undefined || list.length === 0 ? 0 : list.filter((word) => known.has(word)).length / list.length;
}
