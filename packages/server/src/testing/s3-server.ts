import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import S3rver from "s3rver";
import { startTcpProxy, type TcpProxy } from "../../../../tests/support/tcp-proxy.ts";
import type { BlobSettings } from "../config/blobs.ts";
import { errorCode } from "../lib/error-code.ts";
import { givenSignature, signatureOf } from "./signature-v4.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A real S3 server with one bucket, which checks signatures and is reached over a link that can fail. */
export interface TestS3 {
  readonly settings: BlobSettings;
  readonly env: Readonly<Record<string, string>>;
  readonly link: TcpProxy;
  /** The keys of the objects of voices. */
  keys(): Promise<readonly string[]>;
}

const BUCKET = "parlance-test";
/** The key and the secret of s3rver are fixed. */
const SECRET = "S3RVER";

export async function startS3(context: TestContext): Promise<TestS3> {
  const directory = await temporaryFolder(context);
  const options = { address: "127.0.0.1", port: 0, directory, silent: true, configureBuckets: [{ name: BUCKET }] };
  const server = new S3rver(options);
  server.middleware.unshift(async (exchange, next) => {
    if (signatureOf(exchange.req, SECRET) === givenSignature(exchange.req)) return next();
    exchange.status = 403;
    exchange.body = "<Error><Code>SignatureDoesNotMatch</Code></Error>";
  });
  const { port } = await server.run();
  const link = await startTcpProxy({ port });
  context.after(async () => {
    await link.close();
    await server.close();
  });
  const [accessKeyId, secretAccessKey] = [SECRET, SECRET];
  const endpoint = `http://127.0.0.1:${link.port}`;
  return {
    settings: {
      bucket: BUCKET,
      prefix: "test/",
      endpoint,
      region: "us-east-1",
      accessKeyId,
      secretAccessKey,
      sessionToken: undefined,
    },
    env: {
      PARLANCE_BLOBS_URL: `s3://${BUCKET}/test?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    link,
    async keys() {
      const files = await filesIn(join(directory, BUCKET));
      return files.flatMap((file) => /^test\/(voices\/.*)\._S3rver_object$/.exec(file)?.[1] ?? []);
    },
  };
}

/** The server may remove a folder while it is read. */
async function filesIn(directory: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readdir(directory, { recursive: true });
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === 100) throw error;
    }
  }
}
