import type { AbbreviationWords } from "../rules/grammar.ts";
import { table, wordSet } from "../rules/rule.ts";

export const abbreviations: AbbreviationWords = {
  always: table(`
    sr: señor
    sra: señora
    srta: señorita
    sres: señores
    sras: señoras
    dr: doctor
    dra: doctora
    dres: doctores
    dña: doña
    ud: usted
    uds: ustedes
    vd: usted
    vds: ustedes
    lic: licenciado
    licda: licenciada
    ing: ingeniero
    arq: arquitecto
    prof: profesor
    profa: profesora
    pdte: presidente
    gral: general
    tte: teniente
    sgto: sargento
    cnel: coronel
    avda: avenida
    pza: plaza
    plza: plaza
    pje: pasaje
    ctra: carretera
    urb: urbanización
    izq: izquierda
    izqda: izquierda
    dcha: derecha
    esq: esquina
    apdo: apartado
    depto: departamento
    dpto: departamento
    ayto: ayuntamiento
    etc: etcétera
    p. ej: por ejemplo
    p.ej: por ejemplo
    aprox: aproximadamente
    tel: teléfono
    tfno: teléfono
    telf: teléfono
    ee. uu: Estados Unidos
    ee.uu: Estados Unidos
    eeuu: Estados Unidos
    rr. hh: recursos humanos
    rr.hh: recursos humanos
    ff. aa: fuerzas armadas
    jj. oo: juegos olímpicos
    a. c: antes de Cristo
    a.c: antes de Cristo
    d. c: después de Cristo
    d.c: después de Cristo
    a. de c: antes de Cristo
    d. de c: después de Cristo
    c/: calle
    cía: compañía
    s. a: S.A
    s. l: S.L
    vs: versus
    q. e. p. d: que en paz descanse
    km²: kilómetros cuadrados`),
  dotted: table(`
    av: avenida
    d: don
    da: doña
    núm: número
    nro: número
    pág: página
    págs: páginas
    pag: página
    cap: capítulo
    art: artículo
    fig: figura
    vol: volumen
    ed: edición
    máx: máximo, máxima
    mín: mínimo, mínima
    prov: provincia
    admón: administración
    adj: adjunto
    atte: atentamente
    dto: descuento
    ej: ejemplo
    ref: referencia
    sto: santo
    sta: santa
    mons: monseñor
    fdo: firmado
    col: colonia
    dir: dirección
    gob: gobierno
    max: máximo, máxima
    min: mínimo, mínima
    cda: cucharada
    cdas: cucharadas
    cdta: cucharadita
    cdtas: cucharaditas
    cdita: cucharadita
    temp: temperatura
    incl: incluido
    lun: lunes
    mar: martes
    miér: miércoles
    mié: miércoles
    jue: jueves
    vier: viernes
    vie: viernes
    sáb: sábado
    dom: domingo`),
  feminineArticles: wordSet("la una"),
  beforeNumber: table(`
    n.º: número
    nº: número
    n°: número
    no: número
    núm: número
    num: número
    nro: número
    p: página
    pp: páginas
    pág: página
    págs: páginas
    pag: página
    cap: capítulo
    caps: capítulos
    art: artículo
    arts: artículos
    fig: figura
    vol: volumen
    t: tomo
    s: siglo
    ss: siglos
    tel: teléfono
    sec: sección
    min: minuto
    km: kilómetro
    apto: apartamento
    vier: viernes
    vie: viernes
    lun: lunes
    jue: jueves
    sáb: sábado
    dom: domingo`),
  beforeName: table(`
    s: san
    sto: santo
    sta: santa
    d: don
    fco: Francisco
    ma: María`),
};
