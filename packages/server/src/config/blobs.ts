import { ConfigError } from "./config-error.ts";
import { type Environment, readSetting } from "./setting.ts";
import { objectStorage } from "./settings/object-storage.ts";
import { httpUrl } from "./value-types.ts";

/** A bucket and the key to it. */
export interface BlobSettings {
  readonly bucket: string;
  readonly prefix: string;
  /** Undefined: Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Undefined: no bucket is set. Then the variables of AWS are not even checked, because other programs may use them. */
export function readBlobs(env: Environment): BlobSettings | undefined {
  const address = readSetting(objectStorage.blobsUrl, env);
  if (address === undefined) return undefined;
  const accessKeyId = readSetting(objectStorage.accessKeyId, env);
  const secretAccessKey = readSetting(objectStorage.secretAccessKey, env);
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError("PARLANCE_BLOBS_URL: a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return {
    ...address,
    endpoint: address.endpoint ?? endpointOf(env),
    region: address.region ?? readSetting(objectStorage.region, env) ?? "us-east-1",
    accessKeyId,
    secretAccessKey,
    sessionToken: readSetting(objectStorage.sessionToken, env),
  };
}

function endpointOf(env: Environment): string | undefined {
  const text = readSetting(objectStorage.endpoint, env);
  try {
    return text === undefined ? undefined : httpUrl.parse(text);
  } catch {
    throw new ConfigError(`AWS_ENDPOINT_URL: it must be ${httpUrl.allowed}`);
  }
}
