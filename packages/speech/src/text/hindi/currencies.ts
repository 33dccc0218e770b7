import { currencies } from "../rules/nouns.ts";

/** Sign or code: singular, plural where it differs; then the hundredth part. */
export const CURRENCIES = currencies(`
  ₹ INR Rs रु ₨: रुपया, रुपए; पैसा, पैसे
  $: डॉलर; सेंट
  US$ USD: अमेरिकी डॉलर; सेंट
  A$ AUD: ऑस्ट्रेलियाई डॉलर; सेंट
  C$ CAD: कनाडाई डॉलर; सेंट
  € EUR: यूरो; सेंट
  £ GBP: पाउंड; पेंस
  ¥ JPY: येन; सेन
  CNY: युआन
  ₩ KRW: वॉन; जिओन
  ₺ TRY: लीरा; कुरस
  ৳ BDT: टका; पैसे
  ₦ NGN: नाइरा; कोबो
  ₽ RUB: रूबल; कोपेक
  ₱: पेसो; सेंटावो
  ₫: डोंग
  ฿: बाट; सतांग
  ₪: शेकेल; अगोरा
  CHF: स्विस फ़्रैंक; सेंट
  AED: दिरहम; फ़िल्स
  SAR: रियाल; हलाला
  NPR: नेपाली रुपया, नेपाली रुपए; पैसा, पैसे
  PKR: पाकिस्तानी रुपया, पाकिस्तानी रुपए; पैसा, पैसे
  LKR: श्रीलंकाई रुपया, श्रीलंकाई रुपए; सेंट
  BTC ₿: बिटकॉइन`);
