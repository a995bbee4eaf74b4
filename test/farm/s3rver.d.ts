/** The parts of `s3rver` 3.7.1 that tests use. */
declare module "s3rver" {
  export default class S3rver {
    constructor(options: object);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
