import { describeReadings } from "../../testing/reading.ts";

describeReadings(
  "id",
  `
  ## numbers
  Ada 21 orang dan 115 rumah. => Ada dua puluh satu orang dan seratus lima belas rumah.
  1.234.567 jiwa => satu juta dua ratus tiga puluh empat ribu lima ratus enam puluh tujuh jiwa
  -3,25 dan 1.000 => minus tiga koma dua lima dan seribu
  1/2 gelas, 1/4 dan 2/3 => setengah gelas, seperempat dan dua pertiga
  ulang tahun ke-17 dan ke-1 => ulang tahun ketujuh belas dan pertama

  ## dates and times
  17 Agustus 1945 => tujuh belas Agustus seribu sembilan ratus empat puluh lima
  tanggal 05/03/2024 => tanggal lima Maret dua ribu dua puluh empat
  pukul 14.30 => pukul empat belas lewat tiga puluh

  ## money and units
  Rp 15.000 dan $3 => lima belas ribu rupiah dan tiga dolar
  Rp2,5 juta => dua koma lima juta rupiah
  -5 °C, 60 km/jam, 50% => minus lima derajat Celsius, enam puluh kilometer per jam, lima puluh persen
  100 m² => seratus meter persegi

  ## abbreviations
  Jl. Merdeka No. 10, dll. => jalan Merdeka nomor sepuluh, dan lain-lain.
  budi@contoh.com => budi at contoh titik com
  `,
);
