import type { AbbreviationWords } from "../rules/grammar.ts";
import { table, wordSet } from "../rules/rule.ts";

export const abbreviations: AbbreviationWords = {
  always: table(`
    sr: senhor
    sra: senhora
    srta: senhorita
    srs: senhores
    sras: senhoras
    dr: doutor
    dra: doutora
    drs: doutores
    dras: doutoras
    prof: professor
    profa: professora
    profª: professora
    eng: engenheiro
    engª: engenheira
    arq: arquiteto
    exmo: excelentíssimo
    exma: excelentíssima
    ilmo: ilustríssimo
    ilma: ilustríssima
    gen: general
    cel: coronel
    sgt: sargento
    av: avenida
    pça: praça
    rod: rodovia
    apto: apartamento
    ap: apartamento
    depto: departamento
    dpto: departamento
    etc: etcétera
    p. ex: por exemplo
    p.ex: por exemplo
    aprox: aproximadamente
    tel: telefone
    a. c: antes de Cristo
    a.c: antes de Cristo
    d. c: depois de Cristo
    d.c: depois de Cristo
    cia: companhia
    ltda: limitada
    s. a: S.A
    s/a: S.A
    vs: versus
    v. exa: vossa excelência
    eua: Estados Unidos
    e.u.a: Estados Unidos
    n/a: não se aplica
    c/: com
    s/: sem`),
  dotted: table(`
    núm: número
    nro: número
    pág: página
    págs: páginas
    pg: página
    cap: capítulo
    art: artigo
    fig: figura
    vol: volume
    ed: edição
    máx: máximo, máxima
    mín: mínimo, mínima
    obs: observação
    ref: referência
    ex: exemplo
    sto: santo
    sta: santa
    jd: jardim
    vl: vila
    bl: bloco
    qd: quadra
    trav: travessa
    lgo: largo
    est: estrada
    gov: governador
    pres: presidente
    dep: deputado
    min: mínimo, mínima
    temp: temperatura
    incl: incluído
    adm: administração
    seg: segunda
    ter: terça
    qua: quarta
    qui: quinta
    sex: sexta
    sáb: sábado
    dom: domingo`),
  feminineArticles: wordSet("a uma"),
  beforeNumber: table(`
    nº: número
    n.º: número
    n°: número
    n: número
    núm: número
    p: página
    pp: páginas
    pg: página
    pág: página
    págs: páginas
    cap: capítulo
    caps: capítulos
    art: artigo
    arts: artigos
    fig: figura
    vol: volume
    t: tomo
    séc: século
    sécs: séculos
    km: quilômetro
    apt: apartamento`),
  beforeName: table(`
    r: rua
    s: são
    sto: santo
    sta: santa`),
};
