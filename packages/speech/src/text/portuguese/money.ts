import type { MoneyWords } from "../rules/grammar.ts";
import { currencies } from "../rules/nouns.ts";
import type { Region } from "./number-words.ts";

const CENT: Readonly<Record<Region, string>> = { br: "centavo, centavos, m", pt: "cêntimo, cêntimos, m" };

export const moneyOf = (region: Region): MoneyWords => ({
  currencies: currencies(`
    r$ brl: real, reais, m; centavo, centavos, m
    $: dólar, dólares, m; ${CENT.br}
    us$ u$s usd: dólar americano, dólares americanos, m; ${CENT.br}
    € eur: euro, euros, m; ${CENT[region]}
    £ gbp: libra, libras, f; pêni, pence, m
    ¥ jpy: iene, ienes, m
    ₩ krw: won, wons, m
    ₹ inr: rúpia, rúpias, f; paisa, paisas, f
    ₽ rub: rublo, rublos, m
    ₺: lira turca, liras turcas, f
    ₪ ils: shekel, shekels, m
    ₱: peso, pesos, m; centavo, centavos, m
    ฿ thb: baht, bahts, m
    ₿ btc: bitcoin, bitcoins, m
    ¢: centavo, centavos, m
    cad c$ ca$: dólar canadense, dólares canadenses, m; centavo, centavos, m
    aud a$: dólar australiano, dólares australianos, m; centavo, centavos, m
    nzd: dólar neozelandês, dólares neozelandeses, m; centavo, centavos, m
    hkd hk$: dólar de Hong Kong, dólares de Hong Kong, m; centavo, centavos, m
    mxn: peso mexicano, pesos mexicanos, m; centavo, centavos, m
    ars: peso argentino, pesos argentinos, m; centavo, centavos, m
    clp: peso chileno, pesos chilenos, m
    uyu: peso uruguaio, pesos uruguaios, m
    COP: peso colombiano, pesos colombianos, m
    PEN s/: sol, sóis, m
    ₲ pyg: guarani, guaranis, m
    aoa kz: kwanza, kwanzas, m; cêntimo, cêntimos, m
    mzn: metical, meticais, m; centavo, centavos, m
    cve: escudo cabo-verdiano, escudos cabo-verdianos, m
    chf: franco suíço, francos suíços, m; cêntimo, cêntimos, m
    cny rmb: yuan, yuans, m
    sek: coroa sueca, coroas suecas, f
    nok: coroa norueguesa, coroas norueguesas, f
    dkk: coroa dinamarquesa, coroas dinamarquesas, f
    pln zł: zloty, zlotys, m
    zar: rand, rands, m`),
  joint: "e",
  of: (name) => `de ${name}`,
});
