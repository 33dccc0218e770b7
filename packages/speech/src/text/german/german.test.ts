import { describeReadings } from "../../testing/reading.ts";

describeReadings(
  "de",
  `
  ## numbers
  Es waren 21 Hunde und 345 Katzen. => Es waren ein und zwanzig Hunde und dreihundert fünf und vierzig Katzen.
  1.234.567 Menschen => eine Million zweihundert vier und dreißigtausend fünfhundert sieben und sechzig Menschen
  -3,25 und 0,5 => minus drei Komma zwei fünf und null Komma fünf
  1/4 und 2/3 => ein viertel und zwei drittel

  ## dates and times
  am 3. Mai 2024 => am dritten Mai zweitausend vier und zwanzig
  Der 1. Januar => Der erste Januar
  am 24.12.1999 => am vier und zwanzigsten Dezember neunzehnhundert neun und neunzig
  Er kam im 19. Jahrhundert. => Er kam im neunzehnten Jahrhundert.
  im Jahr 1989 => im Jahr neunzehnhundert neun und achtzig
  um 14:30 Uhr => um vierzehn Uhr dreißig
  8:05 Uhr => acht Uhr fünf

  ## money and units
  12,50 € und 1 $ => zwölf Euro fünfzig Cent und ein Dollar
  2 Mio. € => zwei Millionen Euro
  -5 °C bei 120 km/h => minus fünf Grad Celsius bei einhundert zwanzig Kilometer pro Stunde
  50 m² und 1 h => fünfzig Quadratmeter und eine Stunde

  ## abbreviations and addresses
  Dr. Müller kommt z. B. morgen. => Doktor Müller kommt zum Beispiel morgen.
  Nr. 5, S. 12, usw. => Nummer fünf, Seite zwölf, und so weiter.
  anna@beispiel.de => anna ät beispiel Punkt D.E

  ## everyday text
  die v2.3.1 in der Hauptstr. 5 => die Version zwei Punkt drei Punkt eins in der Hauptstraße fünf
  1/2 l Milch, 1/2 kg Mehl, 2 EL Öl => ein halber Liter Milch, ein halbes Kilogramm Mehl, zwei Esslöffel Öl
  2,50 €/kg, 5 k€, 3x so viel => zwei Euro fünfzig Cent pro Kilogramm, fünf Tausend Euro, drei Mal so viel
  in der 5. Reihe, die 1990er => in der fünften Reihe, die neunzehnhundert neunziger
  Ludwig XIV. im 18. Jh. war => Ludwig der vierzehnte im achtzehnten Jahrhundert war
  55" und 4K => fünf und fünfzig Zoll und vier K
  `,
);
