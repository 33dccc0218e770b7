/**
 * The premade voices of ElevenLabs, which programs bring along by id, and the stock voices that speak for them: of Kokoro,
 * then of Piper. Documented in docs/elevenlabs.md; a test compares both.
 */
export const ELEVENLABS_VOICES: Readonly<Record<string, readonly [kokoro: string, piper: string]>> = {
  pNInz6obpgDQGcFmaJgB: ["am_adam", "walter"], // Adam
  Xb7hH8MSUJpSbSDYk0k2: ["bf_alice", "helen"], // Alice
  ErXwobaYiN019PkySvjV: ["am_liam", "martin"], // Antoni
  "9BWtsMINqrJLrRacOk9x": ["af_nova", "lucy"], // Aria
  VR6AewLTigWG4xSOukaG: ["am_fenrir", "walter"], // Arnold
  hpp4J3VqNfWAUOO0d1Us: ["af_bella", "clara"], // Bella
  pqHfZKP75CvOlQylNhV4: ["am_onyx", "walter"], // Bill
  nPczCjzI2devNBz1zQrb: ["am_onyx", "walter"], // Brian
  N2lVS1w4EtoT3dr4eOWO: ["am_fenrir", "walter"], // Callum
  IKne3meq5aSn9XLyUdCD: ["am_puck", "simon"], // Charlie
  XB0fDUnXU5powFXDhCwa: ["bf_isabella", "helen"], // Charlotte
  iP95p4xoKVk53GoZ742B: ["am_michael", "martin"], // Chris
  "2EiwWnXFnvU5JabPnv8n": ["am_fenrir", "walter"], // Clyde
  onwK4e9ZLuTAKqWW03F9: ["bm_daniel", "arthur"], // Daniel
  CYw3kZ02Hs0563khs1Fj: ["bm_lewis", "arthur"], // Dave
  AZnzlk1XvdvUeBnXmlld: ["af_kore", "ruth"], // Domi
  ThT5KcBeYPX3keUQqHPh: ["bf_emma", "nora"], // Dorothy
  "29vD33N1CtxCmqQRPOHJ": ["am_michael", "martin"], // Drew
  MF3mGyEYCl7XYWbV9V6O: ["af_bella", "lucy"], // Elli
  LcfcDJNUP1GQjkzn1xUU: ["af_nicole", "nora"], // Emily
  cjVigY5qzO86Huf0OWal: ["am_eric", "edward"], // Eric
  g5CIjZEefAph4nQFvHAz: ["am_puck", "edward"], // Ethan
  D38z5RcWu1voky8WS1ja: ["bm_fable", "arthur"], // Fin
  jsCqWAovK2LkecY7zXl4: ["af_aoede", "clara"], // Freya
  JBFqnCBsd6RMkjVDRZzb: ["bm_george", "arthur"], // George
  jBpfuIE2acCO8z3wKNLl: ["af_sky", "lucy"], // Gigi
  zcAOhNBS3c14rBihAFp1: ["im_nicola", "edward"], // Giovanni
  z9fAnlkpzviPz146aGWa: ["af_kore", "ruth"], // Glinda
  oWAxZDx7w5VEj9dCyTzz: ["af_alloy", "nora"], // Grace
  SOYHLrjzK2X1ezoPC6cr: ["am_liam", "simon"], // Harry
  bVMeCyTHy58xNoL34h3p: ["am_liam", "simon"], // Jeremy
  cgSgspJ2msm6clMCkdW9: ["af_jessica", "lucy"], // Jessica
  t0jbNlBVZ17f02VDIeMI: ["am_santa", "arthur"], // Jessie
  TxGEqnHWrfWFTfGW9XjX: ["am_echo", "martin"], // Josh
  FGY2WhTYpPnrIDTdsKH5: ["af_sky", "lucy"], // Laura
  TX3LPaxmHKxFdv7VOQHJ: ["am_liam", "martin"], // Liam
  pFZP5JQG7iQjIQuC4Bku: ["bf_lily", "nora"], // Lily
  XrExE9yKIg1WjnnlVkGX: ["af_aoede", "clara"], // Matilda
  flq6f7yk4E4fJM5XTYuZ: ["am_michael", "walter"], // Michael
  zrHiDhphv9ZnVXBqCLjz: ["af_sky", "lucy"], // Mimi
  piTKgcLEGmPE4e6mEKli: ["af_nicole", "nora"], // Nicole
  ODq5zmih8GrVes37Dizd: ["am_adam", "simon"], // Patrick
  "5Q0t7uMcjvnagumLfvZi": ["am_eric", "martin"], // Paul
  "21m00Tcm4TlvDq8ikWAM": ["af_heart", "clara"], // Rachel
  SAz9YHcvj6GT2YYXdXww: ["af_river", "helen"], // River
  CwhRBWXzGAHq8TQ4Fs17: ["am_echo", "simon"], // Roger
  yoZ06aMxZJJ28mfd3POQ: ["am_echo", "simon"], // Sam
  EXAVITQu4vr4xnSDxMaL: ["af_sarah", "helen"], // Sarah
  pMsXgVXv3BLzUgSXRplE: ["af_kore", "helen"], // Serena
  GBv7mTt0atIp3Br8iCZE: ["am_adam", "edward"], // Thomas
  bIHbv24MWmeRgasZH58o: ["am_puck", "edward"], // Will
};
