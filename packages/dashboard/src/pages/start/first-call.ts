/** A command that can be pasted into a terminal as it is, once it has a key. */
export function firstCall(address: string, key: string | undefined, voice: string): string {
  const body = { text: "Hello from Parlance.", ...(voice === "" ? {} : { reference_id: voice }) };
  return [
    `export PARLANCE_API_KEY=${key ?? "YOUR_KEY"}`,
    `curl --fail-with-body ${address}/v1/tts --output hello.mp3 \\`,
    '  -H "Authorization: Bearer $PARLANCE_API_KEY" \\',
    '  -H "model: s2-pro" -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(body)}'`,
  ].join("\n");
}
