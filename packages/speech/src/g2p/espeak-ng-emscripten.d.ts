/** The part of the package's interface that is used here; it has no types of its own. */
declare module "@echogarden/espeak-ng-emscripten" {
  interface EspeakWorker {
    /** 0 when the voice exists. */
    set_voice(name: string): number;
    /** Returns the address of a zero-terminated UTF-8 text, valid until the next call. */
    convert_to_phonemes(text: string, ipa: boolean): { readonly ptr: number };
  }
  interface EspeakModule {
    readonly HEAPU8: Uint8Array;
    readonly eSpeakNGWorker: new () => EspeakWorker | Promise<EspeakWorker>;
  }
  export default function createModule(): Promise<EspeakModule>;
}
