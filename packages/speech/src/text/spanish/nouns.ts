import type { Gender } from "../rules/grammar.ts";
import { wordSet } from "../rules/rule.ts";

/** Words after a number that are no nouns it counts. */
const NO_NOUNS =
  wordSet(`de del y o a e u en por para con sin que se es son fue era está están más menos veces tres seis dos
  vez es las los sus mis tus unos unas entre tras después antes hasta desde ya no ni como pero cada según otras otros
  nuevas nuevos primeras primeros últimas últimos mejores peores grandes y/o mil`);
const FEMININE =
  wordSet(`veces vez manos mano noches noche tardes tarde clases clase partes parte llaves llave calles calle
  mujeres mujer sedes sede series serie flores flor imágenes imagen leyes ley redes red nubes nube torres torre fotos foto
  motos moto muertes muerte fuentes fuente bases base frases frase claves clave naves nave aves ave raíces raíz luces luz
  voces voz cruces cruz paredes pared sales sal tribus tribu`);
const MASCULINE = wordSet(`días día mapas mapa planetas planeta problemas problema sistemas sistema temas tema programas
  programa idiomas idioma poemas poema síntomas síntoma kilogramas kilograma diagramas diagrama dilemas dilema poetas
  atletas turistas artistas periodistas policías guardias gramas cometas sofás pijamas`);

/** The gender of the noun that a number counts: "doscientas personas", "veintiún libros". */
export function nounGender(word: string, many: boolean): Gender | undefined {
  if (!/^\p{Ll}{3,}$/u.test(word) || NO_NOUNS.has(word)) return undefined;
  if (many && !word.endsWith("s")) return undefined;
  if (MASCULINE.has(word)) return "m";
  if (FEMININE.has(word)) return "f";
  if (/(?:as?|ci[óo]n(?:es)?|si[óo]n(?:es)?|dad(?:es)?|tad(?:es)?|tud(?:es)?|umbres?)$/.test(word)) return "f";
  return many || /(?:o|or|je|al|ón|ar|el)$/.test(word) ? "m" : undefined;
}
