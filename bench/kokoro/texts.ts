import { builtInVoices } from "@parlance/speech";
import { sentences as english } from "../../tests/sentences.ts";

/** One sentence by one voice. */
export interface Item {
  readonly text: string;
  readonly voice: string;
  /** As espeak names it. */
  readonly language: string;
}

/** Without digits and abbreviations: what a recogniser writes down can be compared word for word. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  en: english,
  es: [
    "El tren de la costa sale del andén número cuatro dentro de diez minutos.",
    "Por favor, envíame el informe antes de que termine el día.",
    "Ella abrió la ventana y dejó entrar en la habitación el aire frío de la mañana.",
    "Nadie sabe cuántas lenguas se hablan hoy en esta ciudad tan grande.",
    "Necesitamos manzanas, pan, leche, queso y una botella de agua.",
    "Los niños jugaban en el jardín mientras sus padres preparaban la cena.",
    "¿A qué hora llega el próximo autobús del aeropuerto?",
    "Mi abuela contaba historias muy largas junto al fuego durante todo el invierno.",
  ],
  fr: [
    "Le train pour la côte part du quai numéro quatre dans dix minutes.",
    "Elle ouvrit la fenêtre et laissa entrer dans la chambre l'air froid du matin.",
    "Personne ne sait exactement combien de langues sont parlées dans cette ville.",
    "Nous avons besoin de pommes, de pain, de lait et d'une bouteille d'eau.",
    "Les enfants jouaient dans le jardin pendant que leurs parents préparaient le dîner.",
    "À quelle heure arrive le prochain autobus pour la gare ?",
    "Ma grand-mère racontait de longues histoires près du feu pendant tout l'hiver.",
  ],
  it: [
    "Il treno per la costa parte dal binario quattro fra dieci minuti.",
    "Lei aprì la finestra e lasciò entrare nella stanza l'aria fredda del mattino.",
    "Nessuno sa quante lingue si parlano oggi in questa grande città.",
    "Abbiamo bisogno di mele, pane, latte, formaggio e una bottiglia d'acqua.",
    "I bambini giocavano in giardino mentre i genitori preparavano la cena.",
    "A che ora arriva il prossimo autobus per la stazione?",
    "Mia nonna raccontava storie molto lunghe accanto al fuoco per tutto l'inverno.",
  ],
  pt: [
    "O trem para o litoral sai da plataforma quatro em dez minutos.",
    "Ela abriu a janela e deixou entrar no quarto o ar frio da manhã.",
    "Ninguém sabe quantas línguas são faladas hoje nesta cidade tão grande.",
    "Precisamos de maçãs, pão, leite, queijo e uma garrafa de água.",
    "As crianças brincavam no jardim enquanto os pais preparavam o jantar.",
    "A que horas chega o próximo ônibus para o aeroporto?",
    "Minha avó contava histórias muito longas perto do fogo durante todo o inverno.",
    "Por favor, me envie o relatório antes do fim do dia.",
  ],
  // For the likeness of the voices only: the recognisers at hand hardly understand it.
  hi: [
    "आज मौसम बहुत अच्छा है, चलो बाहर घूमने चलते हैं।",
    "क्या आप मुझे स्टेशन का रास्ता बता सकते हैं?",
    "बच्चे बगीचे में खेल रहे थे और माँ खाना बना रही थी।",
    "मेरी दादी सर्दियों में आग के पास लंबी कहानियाँ सुनाती थीं।",
  ],
};

/** Sixty sentences that are listened to, and four that are not; every voice speaks at least one. */
export function evaluationItems(): Item[] {
  return Object.entries(sentences).flatMap(([language, texts]) => {
    const voices = builtInVoices.filter((voice) => voice.engine === "kokoro" && voice.language.startsWith(language));
    return texts.flatMap((text, index) => {
      const voice = voices[index % voices.length];
      return voice ? [{ text, voice: voice.slug, language: voice.spoken.language }] : [];
    });
  });
}

export const isHeard = (item: Item) => item.language !== "hi";
