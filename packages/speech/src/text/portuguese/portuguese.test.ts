import { describeReadings } from "../../testing/reading.ts";

describeReadings(
  "pt-br",
  `
  ## numbers
  Em 2023 vieram 21 pessoas, 200 mulheres e 2 crianças. => Em dois mil e vinte e três vieram vinte e uma pessoas, duzentas mulheres e duas crianças.
  Sobraram 1 livro e 31 dias. => Sobraram um livro e trinta e um dias.
  1.234.567 votos => um milhão duzentos e trinta e quatro mil quinhentos e sessenta e sete votos
  2.016, 1.100 e 10.500 => dois mil e dezesseis, mil e cem e dez mil e quinhentos
  3,25 e -0,5 => três vírgula dois cinco e menos zero vírgula cinco
  de 10-12 vezes => de dez a doze vezes

  ## money
  Paga R$ 1.250,50 por mês. => Paga mil duzentos e cinquenta reais e cinquenta centavos por mês.
  R$ 2,5 milhões, US$ 500 mil e R$ 3 bi => dois vírgula cinco milhões de reais, quinhentos mil dólares americanos e três bilhões de reais
  € 21 ou £2 => vinte e um euros ou duas libras
  1.000.000 € => um milhão de euros

  ## dates and times
  Em 1º de janeiro de 2000, às 0h. => Em primeiro de janeiro de dois mil, às zero horas.
  no dia 12/03/2024 às 16h45 => no dia doze de março de dois mil e vinte e quatro às dezesseis horas e quarenta e cinco
  das 8h às 17h30 => das oito horas às dezessete horas e trinta
  São 3:15 p.m. de segunda. => São três horas e quinze da tarde de segunda.
  às 20h da noite => às oito horas da noite

  ## units
  Pesa 2,5 kg e corre a 21 km/h. => Pesa dois vírgula cinco quilos e corre a vinte e um quilômetros por hora.
  −5 °C e 85% => menos cinco graus Celsius e oitenta e cinco por cento
  1/2 hora e ½ litro => meia hora e meio litro
  64 gb e 5 GB => sessenta e quatro gigabytes e cinco gigabytes

  ## ordinals, fractions and Roman numerals
  a 25ª edição e o 3º andar => a vigésima quinta edição e o terceiro andar
  O PIB cresceu no 3º trimestre. => O PIB cresceu no terceiro trimestre.
  3/4 do público, 5/12 => três quartos do público, cinco doze avos
  D. Pedro II e D. Maria I => dom Pedro segundo e dona Maria primeira
  nos sécs. XVIII e XIX => nos séculos dezoito e dezenove

  ## telephone numbers and addresses
  (11) 98765-4321 => um um, nove oito sete seis cinco, quatro três dois um
  +55 21 2345-6789 => mais cinco cinco, dois um, dois três quatro cinco, seis sete oito nove
  CEP 01310-100 => CEP zero um três um zero, um zero zero
  joao.silva@correio.com.br => joao ponto silva arroba correio ponto com ponto B.R

  ## abbreviations
  O Sr. Silva e a Dra. Lima moram na Av. Paulista, nº 5, apto. 21. => O senhor Silva e a doutora Lima moram na avenida Paulista, número cinco, apartamento vinte e um.
  A máx. de hoje e a velocidade mín. => A máxima de hoje e a velocidade mínima.
  o peso máx. de 8 kg => o peso máximo de oito quilos
  Veja as págs. 20-25 do cap. IV. => Veja as páginas vinte a vinte e cinco do capítulo quatro.
  Os EUA e o FBI => Os Estados Unidos e o F.B.I

  ## everyday text
  a v2.3.1 por R$ 2,50/kg => a versão dois ponto três ponto um por dois reais e cinquenta centavos por quilo
  10x sem juros, 1/8 de 35° => dez vezes sem juros, um oitavo de trinta e cinco graus
  a lei nº 39/2015 de 15/mar/2024 => a lei número trinta e nove de dois mil e quinze de quinze de março de dois mil e vinte e quatro
  uma tela 4K de 55" => uma tela quatro K de cinquenta e cinco polegadas
  o CNPJ 12.345.678/0001-95 => o C.N.P.J um dois, três quatro cinco, seis sete oito, zero zero zero um, nove cinco
  11 98765-4321 => um um, nove oito sete seis cinco, quatro três dois um
  `,
);

describeReadings(
  "pt-pt",
  `
  ## numbers of Portugal
  16 comboios e 1.000.000.000 € => dezasseis comboios e mil milhões de euros
  0,50 € => cinquenta cêntimos
  em 1 de maio, a 5 km => em um de maio, a cinco quilómetros
  `,
);
