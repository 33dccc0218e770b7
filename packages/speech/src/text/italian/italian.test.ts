import { describeReadings } from "../../testing/reading.ts";

describeReadings(
  "it",
  `
  ## numbers
  1 giorno, 1 volta, 1 ora, 1 studente => un giorno, una volta, un ora, uno studente
  1.234.567 persone => un milione duecento trentaquattromila cinquecento sessantasette persone
  -3,25 e circa 33 => meno tre virgola venticinque e circa trentatré
  10-12 persone, 1 o 2 => dieci a dodici persone, uno o due
  3 × 4 = 12 => tre per quattro uguale dodici

  ## ordinals and Roman numerals
  il 3° posto, la 2ª edizione => il terzo posto, la seconda edizione
  la 3° classe => la terza classe
  nei secoli XIV-XVI, sec. XIX => nei secoli quattordicesimo a sedicesimo, secolo diciannovesimo
  l'80% e nell'11ª ora => l'ottanta percento e nell'undicesima ora
  consuma 5 l/100 km => consuma cinque litri ogni cento chilometri
  aperto 24/7, 6 mln di voti => aperto ventiquattro sette, sei milioni di voti
  4539 1488 0343 6467 => quattro cinque tre nove, uno quattro otto otto, zero tre quattro tre, sei quattro sei sette
  Enrico VIII ed Elisabetta II => Enrico ottavo ed Elisabetta seconda
  nel XX secolo, cap. IV => nel ventesimo secolo, capitolo quarto

  ## fractions
  2/3 della torta => due terzi della torta
  1 1/2, ¼ => uno e mezzo, un quarto

  ## money
  12,50 € o $3 => dodici euro cinquanta centesimi o tre dollari
  2 milioni € e 1 £ => due milioni di euro e una sterlina
  10.000 €, 5 mln€ => diecimila euro, cinque milioni di euro

  ## measures
  Ci sono −5 °C e 20° a Roma. => Ci sono meno cinque gradi Celsius e venti gradi a Roma.
  50 m², 37,5 km/h => cinquanta metri quadrati, trentasette virgola cinque chilometri orari
  64 gb => sessantaquattro giga-byte
  1 t, 22%, 8 GB => una tonnellata, ventidue percento, otto giga-byte

  ## dates
  il 01/02/2023 => il primo febbraio duemila ventitré
  il 1° maggio 1999 => il primo maggio mille novecento novantanove
  il 5/3, 3-5 sett. 2024 => il cinque marzo, tre al cinque settembre duemila ventiquattro

  ## times
  alle 7:05, alle ore 22.15 => alle sette e cinque, alle ore ventidue e quindici
  alle 14:00 => alle quattordici

  ## telephone numbers
  333 123 4567 => tre tre tre, uno due tre, quattro cinque sei sette
  +39 06 1234567 => più tre nove, zero sei, uno due tre quattro cinque sei sette

  ## abbreviations
  Da S. Maria a S. Anna, S. Luca, S. Pietro e S. Stefano => Da santa Maria a sant'Anna, san Luca, san Pietro e santo Stefano
  la velocità max. 80, il peso max. 5 => la velocità massima ottanta, il peso massimo cinque
  il dott. Neri e la sig.ra Rossi => il dottor Neri e la signora Rossi
  il prof. ha chiamato l'ing. Bianchi => il professore ha chiamato l'ingegner Bianchi
  l'ing. Verdi, l'art. 3, n. 5 => l'ingegner Verdi, l'articolo tre, numero cinque
  500 a.C., la S.p.A. Bianchi => cinquecento avanti Cristo, la S.P.A Bianchi

  ## web addresses
  anna.rossi@gmail.com => anna punto rossi chiocciola gmail punto com
  www.esempio.it => W.W.W punto esempio punto it

  ## everyday text
  la v2.3.1 a 2,50 €/kg => la versione due punto tre punto uno a due euro cinquanta centesimi al chilogrammo
  uno schermo 4K da 55", 5 k€ => uno schermo quattro K da cinquantacinque pollici, cinque mila euro
  la legge n. 39/2015 nel XX sec. => la legge numero trentanove del duemila quindici nel ventesimo secolo.
  3x più caro, 10 chf => tre volte più caro, dieci franchi svizzeri
  `,
);
