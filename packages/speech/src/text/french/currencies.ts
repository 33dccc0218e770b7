import { currencies } from "../rules/nouns.ts";

/** Signs and codes: singular, plural, gender; then the same of the hundredth part. */
export const CURRENCIES = currencies(`
  € eur: euro, euros, m; centime, centimes, m
  k€: mille euros, mille euros, m
  M€: million d'euros, millions d'euros, m
  Md€ Mds€: milliard d'euros, milliards d'euros, m
  M$: million de dollars, millions de dollars, m
  $: dollar, dollars, m; cent, cents, m
  US$ usd: dollar américain, dollars américains, m; cent, cents, m
  CA$ C$ CAD: dollar canadien, dollars canadiens, m; cent, cents, m
  AUD: dollar australien, dollars australiens, m; cent, cents, m
  £: livre, livres, f; penny, pennies, m
  gbp: livre sterling, livres sterling, f; penny, pennies, m
  chf: franc suisse, francs suisses, m; centime, centimes, m
  Fr F FF: franc, francs, m; centime, centimes, m
  XAF XOF FCFA: franc CFA, francs CFA, m
  ¥ jpy: yen, yens, m
  CNY RMB: yuan, yuans, m
  ₹ INR: roupie, roupies, f
  ₽ RUB: rouble, roubles, m; kopeck, kopecks, m
  ₺: livre turque, livres turques, f
  ₩: won, wons, m
  ₴: hryvnia, hryvnias, f
  ₪: shekel, shekels, m
  ₫: dong, dongs, m
  ₱: peso, pesos, m
  R$ BRL: réal, réaux, m
  MXN: peso mexicain, pesos mexicains, m
  MAD: dirham, dirhams, m
  DZD TND: dinar, dinars, m
  SEK: couronne suédoise, couronnes suédoises, f
  NOK: couronne norvégienne, couronnes norvégiennes, f
  DKK: couronne danoise, couronnes danoises, f
  PLN: zloty, zlotys, m
  BTC ₿: bitcoin, bitcoins, m`);
