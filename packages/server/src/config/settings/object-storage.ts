import { optionalSetting, type ValueType } from "../setting.ts";
import { anyText, httpUrl } from "../value-types.ts";

export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

/** Names that need no encoding in an address, so that every server signs the same path. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(\/[\w.-]+)*\/?$/;

const bucketUrl: ValueType<BucketAddress> = {
  allowed: "an address such as s3://bucket/folder?region=eu-central-1&endpoint=https://host:9000",
  parse(text) {
    const { protocol, host, pathname, searchParams, username, hash } = new URL(text);
    const unknown = [...searchParams.keys()].some((name) => name !== "endpoint" && name !== "region");
    const isPlain = protocol === "s3:" && BUCKET.test(host) && PREFIX.test(pathname) && `${username}${hash}` === "";
    if (!isPlain || unknown || pathname.length > 200) throw new TypeError(text);
    const endpoint = searchParams.get("endpoint");
    const folder = pathname.split("/").filter((part) => part !== "");
    return {
      bucket: host,
      prefix: folder.map((part) => `${part}/`).join(""),
      endpoint: endpoint === null ? undefined : httpUrl.parse(endpoint),
      region: searchParams.get("region") ?? undefined,
    };
  },
};

export const objectStorage = {
  blobsUrl: optionalSetting({
    name: "PARLANCE_BLOBS_URL",
    type: bucketUrl,
    unset: "the database",
    meaning:
      "Bucket of an S3-compatible server for the recordings and pictures of voices. `s3://bucket/folder?endpoint=https://host:9000&region=…`; without `endpoint` it is Amazon S3. See [scaling.md](scaling.md#object-storage).",
  }),
  accessKeyId: optionalSetting({
    name: "AWS_ACCESS_KEY_ID",
    type: anyText,
    unset: "none",
    secret: true,
    meaning: "Access key of the bucket. Needed with `PARLANCE_BLOBS_URL`.",
  }),
  secretAccessKey: optionalSetting({
    name: "AWS_SECRET_ACCESS_KEY",
    type: anyText,
    unset: "none",
    secret: true,
    meaning: "Secret of the access key. Needed with `PARLANCE_BLOBS_URL`.",
  }),
  sessionToken: optionalSetting({
    name: "AWS_SESSION_TOKEN",
    type: anyText,
    unset: "none",
    secret: true,
    meaning: "Token of a temporary access key.",
  }),
  region: optionalSetting({
    name: "AWS_REGION",
    type: anyText,
    unset: "`us-east-1`",
    meaning: "Region of the bucket, unless the address names one.",
  }),
  endpoint: optionalSetting({
    name: "AWS_ENDPOINT_URL",
    overriddenBy: "AWS_ENDPOINT_URL_S3",
    type: anyText,
    unset: "Amazon S3",
    meaning: "Address of the S3-compatible server, unless that of the bucket names one.",
  }),
};
