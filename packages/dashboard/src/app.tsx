import { Waveform } from "./waveform.tsx";

/** The front door: where the API is, how to make a first sound, where to read on. */
export function App({ address }: { readonly address: string }) {
  return (
    <main>
      <Waveform />
      <h1>Parlance</h1>
      <p className="lead">Your voice service is running.</p>
      <dl>
        <dt>API</dt>
        <dd>
          <code>{address}/v1/tts</code>
        </dd>
        <dt>Key</dt>
        <dd>
          <code>Authorization: Bearer &lt;API_KEY&gt;</code>, the key that was printed at the first start
        </dd>
      </dl>
      <pre>
        <code>{firstSound(address)}</code>
      </pre>
      <nav>
        <a className="button" href="/docs">
          Read the documentation
        </a>
        <a href="/openapi.json">OpenAPI description</a>
      </nav>
    </main>
  );
}

function firstSound(address: string): string {
  return [
    `curl ${address}/v1/tts -o hello.mp3 \\`,
    '  -H "Authorization: Bearer $PARLANCE_KEY" \\',
    '  -H "model: s2-pro" -H "Content-Type: application/json" \\',
    `  -d '{"text": "Hello from my own machine."}'`,
  ].join("\n");
}
