/** The part of s3rver that tests use. It has no types of its own. */
declare module "s3rver" {
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly directory: string;
      readonly silent: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    /** Of Koa, on which it is built. */
    readonly middleware: ((
      exchange: { readonly req: import("./signature-v4.ts").SignedRequest; status: number; body: string },
      next: () => Promise<void>,
    ) => Promise<void>)[];
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
