import type { MoneyWords } from "../rules/grammar.ts";
import { currencies } from "../rules/nouns.ts";

export const money: MoneyWords = {
  currencies: currencies(`
    € eur: euro, euros, m; céntimo, céntimos, m
    $: dólar, dólares, m; centavo, centavos, m
    us$ u$s usd: dólar estadounidense, dólares estadounidenses, m; centavo, centavos, m
    £ gbp: libra, libras, f; penique, peniques, m
    ¥ jpy: yen, yenes, m
    ₩ krw: won, wones, m
    ₹ rs inr: rupia, rupias, f; paisa, paisas, f
    ₽ rub: rublo, rublos, m; kopek, kopeks, m
    ₺: lira turca, liras turcas, f
    ₴ uah: grivna, grivnas, f
    ₪ ils: séquel, séqueles, m
    ₫ vnd: dong, dongs, m
    ₱: peso, pesos, m; centavo, centavos, m
    ฿ thb: baht, bahts, m
    ₿ btc: bitcóin, bitcoines, m
    ¢: centavo, centavos, m
    ₡ crc: colón, colones, m; céntimo, céntimos, m
    ₧ pta ptas: peseta, pesetas, f; céntimo, céntimos, m
    ₲ pyg: guaraní, guaraníes, m; céntimo, céntimos, m
    ₵ ghs: cedi, cedis, m
    ₦ ngn: naira, nairas, f
    ₭: kip, kips, m
    ₮: tugrik, tugriks, m
    q gtq: quetzal, quetzales, m; centavo, centavos, m
    l hnl: lempira, lempiras, m; centavo, centavos, m
    c$ nio: córdoba, córdobas, f; centavo, centavos, m
    b/. pab: balboa, balboas, m; centésimo, centésimos, m
    s/ s/. PEN: sol, soles, m; céntimo, céntimos, m
    bs bob: boliviano, bolivianos, m; centavo, centavos, m
    bs.s ves vef: bolívar, bolívares, m; céntimo, céntimos, m
    mxn mx$: peso mexicano, pesos mexicanos, m; centavo, centavos, m
    ars: peso argentino, pesos argentinos, m; centavo, centavos, m
    clp: peso chileno, pesos chilenos, m; centavo, centavos, m
    COP: peso colombiano, pesos colombianos, m; centavo, centavos, m
    uyu: peso uruguayo, pesos uruguayos, m; centésimo, centésimos, m
    dop rd$: peso dominicano, pesos dominicanos, m; centavo, centavos, m
    cup: peso cubano, pesos cubanos, m; centavo, centavos, m
    php: peso filipino, pesos filipinos, m; centavo, centavos, m
    r$: real, reales, m; centavo, centavos, m
    brl: real brasileño, reales brasileños, m; centavo, centavos, m
    cad c$a ca$ can$: dólar canadiense, dólares canadienses, m; centavo, centavos, m
    aud a$ au$: dólar australiano, dólares australianos, m; centavo, centavos, m
    nzd nz$: dólar neozelandés, dólares neozelandeses, m; centavo, centavos, m
    hkd hk$: dólar de hong kong, dólares de hong kong, m; centavo, centavos, m
    sgd: dólar de singapur, dólares de singapur, m; centavo, centavos, m
    bzd bz$: dólar beliceño, dólares beliceños, m; centavo, centavos, m
    jmd: dólar jamaiquino, dólares jamaiquinos, m; centavo, centavos, m
    fr: franco, francos, m; céntimo, céntimos, m
    chf: franco suizo, francos suizos, m; céntimo, céntimos, m
    xof xaf: franco, francos, m; céntimo, céntimos, m
    kr: corona, coronas, f
    sek: corona sueca, coronas suecas, f
    nok: corona noruega, coronas noruegas, f
    dkk: corona danesa, coronas danesas, f
    isk: corona islandesa, coronas islandesas, f
    czk kč: corona checa, coronas checas, f
    mk: marco, marcos, m; penique, peniques, m
    bam: marco, marcos, m
    pln zł: esloti, eslotis, m
    huf: forinto, forintos, m
    awg afl: florín arubeño, florines arubeños, m; centavo, centavos, m
    ang: florín antillano, florines antillanos, m; centavo, centavos, m
    cny rmb: yuan, yuanes, m
    mad: dírham, dírhams, m
    egp: libra egipcia, libras egipcias, f
    zar: rand, rands, m
    idr: rupia indonesia, rupias indonesias, f
    myr: ringit, ringits, m
    sar: rial saudí, riales saudíes, m`),
  joint: "",
  of: (name) => `de ${name}`,
};
