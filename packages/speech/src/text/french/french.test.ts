import { describeReadings } from "../../testing/reading.ts";

describeReadings(
  "fr-fr",
  `
  ## numbers
  21 femmes et 1 page => vingt-et-une femmes et une page
  12 345 678 habitants => douze millions trois cent quarante-cinq mille six cent soixante-dix-huit habitants
  -3,25 et ~20 => moins trois virgule vingt-cinq et environ vingt
  3 × 4 = 12, 10 - 3 = 7 => trois fois quatre égale douze, dix moins trois égale sept
  10-12 personnes => dix à douze personnes
  le vol AF1234, agent 007 => le vol A.F mille deux cent trente-quatre, agent zéro zéro sept

  ## ordinals and Roman numerals
  la 1re fois, les 2es, la 2nde => la première fois, les deuxièmes, la seconde
  le 5° étage => le cinquième étage
  Louis XIV et François Ier => Louis quatorze et François premier
  au XVIIIe siècle, chap. IV => au dix-huitième siècle, chapitre quatre
  la Ve République, annexe C => la cinquième République, annexe C

  ## fractions
  2/3 de tasse, ½ verre => deux tiers de tasse, un demi verre
  3 1/4, une note de 15/20 => trois et un quart, une note de quinze sur vingt

  ## money
  12,50 € ou 3 $ => douze euros et cinquante centimes ou trois dollars
  1,5 M€, 3 Mds€ => un virgule cinq millions d'euros, trois milliards d'euros
  2 millions $ et 1 £ => deux millions de dollars et une livre
  10 000 € à 20 000€ => dix mille euros à vingt mille euros

  ## measures
  Il fait −5 °C, demain 20°. => Il fait moins cinq degrés Celsius, demain vingt degrés.
  50 m², 37,5 km/h => cinquante mètres carrés, trente-sept virgule cinq kilomètres heure
  21 t et 1 min => vingt-et-une tonnes et une minute
  5,5 % de 8 Go => cinq virgule cinq pour cent de huit gigaoctets
  64 go => soixante-quatre gigaoctets

  ## dates
  le 01/03/2024 => le premier mars deux mille vingt-quatre
  le 1er mai 1999 => le premier mai mille neuf cent quatre-vingt-dix-neuf
  du 3 au 5 janv. 2024 => du trois au cinq janvier deux mille vingt-quatre
  les 4/5/6 avril => les quatre cinq six avril
  les années 80 => les années quatre-vingts
  12.05 kg => douze point zéro cinq kilogrammes

  ## times
  à 7h05 ou 14 h 30 => à sept heures cinq ou quatorze heures trente
  21:15, 1h => vingt-et-une heures quinze, une heure

  ## telephone numbers
  06 12 34 56 78 => zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit
  +33 6 01 02 03 04 => plus trente-trois, six, zéro un, zéro deux, zéro trois, zéro quatre

  ## abbreviations and initials
  M. Petit et Mme Grand => monsieur Petit et madame Grand
  MM. Blanc, Me Noir, il me voit => messieurs Blanc, maître Noir, il me voit
  l'art. 3, p. 12, etc. => l'article trois, page douze, etcétéra.
  50 av. J.-C., 12 av. Foch => cinquante avant Jésus-Christ, douze avenue Foch
  la SNCF, les ONG => la S.N.C.F, les O.N.G

  ## web addresses
  jean.petit@gmail.com => jean point petit arobase gmail point com
  www.exemple.fr/sport => W.W.W point exemple point F.R slash sport

  ## everyday text
  la v2.3.1, 24h/24 et 7j/7 => la version deux point trois point un, vingt-quatre heures sur vingt-quatre et sept jours sur sept
  2,50 €/kg, 2,3 Mds € => deux euros et cinquante centimes par kilogramme, deux virgule trois milliards d'euros
  un écran 4K de 55" => un écran quatre K de cinquante-cinq pouces
  2 c. à s. de miel à St-Denis => deux cuillères à soupe de miel à Saint-Denis
  la Cⁱᵉ au XXe s. => la compagnie au vingtième siècle.
  3x plus cher le 15/03 => trois fois plus cher le quinze mars
  `,
);
