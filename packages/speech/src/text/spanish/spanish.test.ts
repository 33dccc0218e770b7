import assert from "node:assert/strict";
import { it } from "node:test";
import { describeReadings, origins } from "../../testing/reading.ts";

describeReadings(
  "es",
  `
  ## numbers
  En 2023 vinieron 21 personas, 200 mujeres y 1 niña. => En dos mil veintitrés vinieron veintiuna personas, doscientas mujeres y una niña.
  Quedaban 1 libro y 31 días. => Quedaban un libro y treinta y un días.
  unos 1.234.567 habitantes => unos un millón doscientos treinta y cuatro mil quinientos sesenta y siete habitantes
  15 000 km y 2.500,75 => quince mil kilómetros y dos mil quinientos coma setenta y cinco
  el 0,05 y el 3.14 => el cero coma cero cinco y el tres punto catorce
  -7 y +3 => menos siete y más tres
  4,5 millones de votos => cuatro coma cinco millones de votos
  el agente 007 => el agente cero cero siete

  ## money
  Paga 1.250,50 € al mes. => Paga mil doscientos cincuenta euros cincuenta céntimos al mes.
  Cuesta $3.50 o £21. => Cuesta tres dólares cincuenta centavos o veintiuna libras.
  2,5 millones de euros y € 3 millones => dos coma cinco millones de euros y tres millones de euros
  una casa de 1.000.000 € => una casa de un millón de euros
  entre 10-20 € => entre diez a veinte euros
  0,99 € y 1 $ => noventa y nueve céntimos y un dólar
  5M€ => cinco millones de euros

  ## dates and times
  El 1 de enero de 2000 => El primero de enero de dos mil
  el 12/03/2024 a las 16:45 h => el doce de marzo de dos mil veinticuatro a las dieciséis y cuarenta y cinco
  2021-09-05 => cinco de septiembre de dos mil veintiuno
  del 10-12 de mayo => del diez al doce de mayo
  3 dic. 2021 => tres de diciembre de dos mil veintiuno
  Son las 3:15 p. m. del lunes. => Son las tres y cuarto de la tarde del lunes.
  a las 7.30, a las 21:00h y a la 1:05 => a las siete y media, a las veintiuna horas y a la una y cinco
  el 5/3 => el cinco de marzo
  en 1989-1991 => en mil novecientos ochenta y nueve a mil novecientos noventa y uno
  Roma, 44 a. C. y 476 d. C. => Roma, cuarenta y cuatro antes de Cristo y cuatrocientos setenta y seis después de Cristo.

  ## units
  Pesa 2,5 kg y corre a 21 km/h. => Pesa dos coma cinco kilogramos y corre a veintiún kilómetros por hora.
  a −5 °C con el 85 % de humedad => a menos cinco grados centígrados con el ochenta y cinco por ciento de humedad
  1 m², 200 mi y 5-10 mg => un metro cuadrado, doscientas millas y cinco a diez miligramos
  ½ kg y 1/2 hora => medio kilogramo y media hora
  la sala 2B => la sala dos B

  ## ordinals, fractions and Roman numerals
  el 2º piso, la 1ª puerta, el 3er intento => el segundo piso, la primera puerta, el tercer intento
  3/4 partes y 2/3 => tres cuartas partes y dos tercios
  gasta 7 l/100 km o 1 l/20km => gasta siete litros por cien kilómetros o un litro por veinte kilómetros
  los siglos XII-XV y el s. XIX => los siglos doce a quince y el siglo diecinueve
  Felipe II, Isabel II y Alfonso XIII => Felipe segundo, Isabel segunda y Alfonso trece
  los siglos XVI y XVII => los siglos dieciséis y diecisiete
  la XXV edición del cap. IV => la vigesimoquinta edición del capítulo cuatro

  ## telephone numbers and addresses
  Llámame al 612 345 678, ext. 204. => Llámame al seis uno dos, tres cuatro cinco, seis siete ocho, extensión dos cero cuatro.
  +34 91 123 45 67 => más tres cuatro, nueve uno, uno dos tres, cuatro cinco, seis siete
  juan.perez@correo.es => juan punto perez arroba correo punto E.S
  www.ejemplo.com/ayuda => W.W.W punto ejemplo punto com barra ayuda

  ## abbreviations
  El Sr. García y la Dra. Ruiz viven en la Avda. del Mar, núm. 5, 3.º izq. => El señor García y la doctora Ruiz viven en la avenida del Mar, número cinco, tercero izquierda.
  La máx. hoy y la presión mín. => La máxima hoy y la presión mínima.
  un peso máx. de 8 kg => un peso máximo de ocho kilogramos
  85 mg/dL => ochenta y cinco miligramos por decilitro
  Véanse la pág. 15 y las págs. 20-25. => Véanse la página quince y las páginas veinte a veinticinco.
  EE. UU. y la ONU firmaron; el FBI no. => Estados Unidos y la ONU firmaron; el F.B.I no.
  Ud. y D. Juan, etc. => usted y don Juan, etcétera.

  lun. 5 may. 1998 => lunes cinco de mayo de mil novecientos noventa y ocho
  Llama al 555 867 5309. => Llama al cinco cinco cinco, ocho seis siete, cinco tres cero nueve.

  ## sums
  si a+x=z => si a más x igual a z
  mide 3x4 => mide tres por cuatro
  ¿Cuánto es 2+2=4? => Cuánto es dos más dos igual a cuatro?
  3 × 4 y 10² => tres por cuatro y diez al cuadrado
  ganaron por 3-1 => ganaron por tres a uno
  la covid-19 => la covid diecinueve

  ## everyday text
  la versión v2.3 => la versión dos punto tres
  la v2.3.1 en 10.0.0.7:8080 => la versión dos punto tres punto uno en uno cero punto cero punto cero punto siete dos puntos ocho mil ochenta
  1,5 l de agua a 2,50 €/l => uno coma cinco litros de agua a dos euros cincuenta céntimos por litro
  5 k€ y 1,5 M€ => cinco mil euros y uno coma cinco millones de euros
  hoy a 35°, en el 5° piso, 8° C => hoy a treinta y cinco grados, en el quinto piso, ocho grados centígrados
  una tele 4K de 55" => una tele cuatro K de cincuenta y cinco pulgadas
  “tengo 5” dijo => tengo cinco dijo
  la ley 39/2015 y el 15/03 => la ley treinta y nueve de dos mil quince y el quince de marzo
  3x más caro, 10 - 20 personas => tres veces más caro, diez a veinte personas
  el min. 88, 2 cdas. de sal => el minuto ochenta y ocho, dos cucharadas de sal
  tardó 1 h 5 min 20 s => tardó una hora cinco minutos y veinte segundos
  `,
);

it("maps a number with spaces and its currency to all of it", () => {
  assert.deepEqual(origins("Son 15 000 €, casi.", "es"), [
    "Son<Son",
    "quince<15 000 €",
    "mil<15 000 €",
    "euros<15 000 €",
    "casi<casi",
  ]);
});
