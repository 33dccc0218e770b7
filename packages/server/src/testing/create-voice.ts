const RECORDING_BYTES = 200_000;

/** Requests a new voice. The recording is no audio: only cloning that takes anything makes a voice of it. */
export function createVoice(url: string, key: string): Promise<Response> {
  const form = new FormData();
  form.append("title", "A voice");
  form.append("voices", new Blob([new Uint8Array(RECORDING_BYTES)]), "voice.wav");
  return fetch(`${url}/model`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
}
