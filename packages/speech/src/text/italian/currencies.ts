import { currencies } from "../rules/nouns.ts";

/** Signs and codes: singular, plural, gender; then the same of the hundredth part. */
export const CURRENCIES = currencies(`
  € eur: euro, euro, m; centesimo, centesimi, m
  mln€ M€: milione di euro, milioni di euro, m
  mld€: miliardo di euro, miliardi di euro, m
  $: dollaro, dollari, m; centesimo, centesimi, m
  US$ usd: dollaro americano, dollari americani, m; centesimo, centesimi, m
  C$ cad: dollaro canadese, dollari canadesi, m; centesimo, centesimi, m
  aud: dollaro australiano, dollari australiani, m; centesimo, centesimi, m
  £ gbp: sterlina, sterline, f; penny, penny, m
  chf: franco svizzero, franchi svizzeri, m; centesimo, centesimi, m
  ¥ jpy: yen, yen, m
  CNY RMB: yuan, yuan, m
  ₹ INR: rupia, rupie, f
  ₽ RUB: rublo, rubli, m; copeca, copechi, m
  ₺: lira turca, lire turche, f
  ITL: lira, lire, f
  ₩: won, won, m
  ₴: grivnia, grivnie, f
  ₪: siclo, sicli, m
  ₫: dong, dong, m
  ₱: peso, pesos, m
  R$ BRL: real, real, m
  MXN: peso messicano, pesos messicani, m
  SEK: corona svedese, corone svedesi, f
  NOK: corona norvegese, corone norvegesi, f
  DKK: corona danese, corone danesi, f
  PLN: zloty, zloty, m
  BTC ₿: bitcoin, bitcoin, m`);
