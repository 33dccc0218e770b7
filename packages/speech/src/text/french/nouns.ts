import type { Gender } from "../rules/grammar.ts";
import { wordSet } from "../rules/rule.ts";

/** Common nouns that numbers count, in the singular, whose ending does not tell that they are feminine. */
const FEMININE =
  wordSet(`heure minute seconde semaine année fois personne femme fille voiture maison ville page place table chose
  langue lettre ligne main mère nuit partie pièce porte question rue salle sœur tasse tête tonne tranche vache victime vidéo
  photo voix vie vue étoile équipe école église étape île idée image œuvre once assiette bouteille cuillère cuillerée dose
  douzaine dizaine centaine vingtaine trentaine feuille fleur fenêtre gare gorgée goutte journée marche
  matinée mesure note pomme poule première puce raison règle réponse robe roue série soirée sorte station tablette tomate
  boîte banque chambre chaise cible clé copie couche course étude fête fiche fin foule galerie gamme guerre jambe jupe mort part
  paire période phase plante poche prise rangée route scène voie unité`);
const FEMININE_ENDING =
  /(?:tion|sion|xion|ité|été|ette|ance|ence|ure|ude|esse|ille|elle|ienne|euse|trice|ière|aine|ée)$/;
const MASCULINE = wordSet("musée lycée murmure mercure silence capitaine domaine trophée quelle cette celle");

/** The gender of a noun behind a number, where it changes the number: "une fois", "vingt-et-une personnes". */
export function nounGender(word: string, many: boolean): Gender | undefined {
  const lower = word.toLowerCase();
  const noun = many ? lower.replace(/s$/, "") : lower;
  const feminine = FEMININE.has(noun) || FEMININE.has(lower) || (FEMININE_ENDING.test(noun) && !MASCULINE.has(noun));
  return feminine ? "f" : undefined;
}
