import type { Gender } from "../rules/grammar.ts";
import { wordSet } from "../rules/rule.ts";

/** Words after a number that are no nouns it counts. */
const NO_NOUNS =
  wordSet(`de do da dos das e ou a o as os em no na nos nas por para com sem que se é são foi era está estão mais
  menos três seis dois mas entre após antes depois até desde já não nem como cada pelo pela pelos pelas às aos seus suas
  novas novos primeiras primeiros últimas últimos melhores maiores quando enquanto onde mil à ao`);
const FEMININE =
  wordSet(`vezes vez mãos mão noites noite tardes tarde partes parte mulheres mulher árvores árvore leis lei redes
  rede torres torre fotos foto motos moto mortes morte fontes fonte bases base frases frase chaves chave aves ave luzes luz
  vozes voz cruzes cruz paredes parede cores cor flores flor nuvens nuvem imagens imagem viagens viagem mensagens mensagem
  páginas ordens ordem garagens bagagens linguagens passagens maçãs manhãs irmãs tribos tribo`);
const MASCULINE = wordSet(`dias dia mapas mapa planetas planeta problemas problema sistemas sistema temas tema programas
  programa idiomas idioma poemas poema sintomas sintoma diagramas diagrama gramas grama quilogramas telegramas poetas atletas
  turistas artistas jornalistas dentistas cinemas cometas sofás`);

/** The gender of the noun that a number counts: "duzentas pessoas", "vinte e uma casas". */
export function nounGender(word: string, many: boolean): Gender | undefined {
  if (!/^\p{Ll}{3,}$/u.test(word) || NO_NOUNS.has(word)) return undefined;
  if (many && !word.endsWith("s")) return undefined;
  if (MASCULINE.has(word)) return "m";
  if (FEMININE.has(word)) return "f";
  if (/(?:as?|ç(?:ão|ões)|s(?:ão|ões)|dades?|agens?|tudes?)$/.test(word)) return "f";
  return many || /(?:o|or|al|el|ar|im|um)$/.test(word) ? "m" : undefined;
}
