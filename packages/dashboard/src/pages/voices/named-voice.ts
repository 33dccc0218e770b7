import type { VoiceModel } from "@parlance/protocol";

/** The voice that SSML names by its id, its title, or a short name such as `bf_emma`. */
export function namedVoice<Voice extends Pick<VoiceModel, "_id" | "title">>(
  voices: readonly Voice[],
  name: string,
): Voice | undefined {
  const wanted = name.trim().toLowerCase();
  const isTitled = (title: string) => (voice: Voice) => voice.title.toLowerCase() === title;
  return (
    voices.find((voice) => voice._id === wanted) ??
    voices.find(isTitled(wanted)) ??
    voices.find(isTitled(wanted.split("_").at(-1) ?? ""))
  );
}
