import type { Problem } from "../../model/diagnostics/index.js";
import type { ApiError } from "../../contract/index.js";

/** An answer that is not 2xx: thrown by routes, written by the server as an ApiError. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly help = "",
    readonly options: {
      headers?: Record<string, string>;
      problems?: Problem[];
      extra?: Record<string, unknown>;
      /** Close the connection after it: what follows on it cannot be told apart. */
      close?: boolean;
    } = {},
  ) {
    super(message);
  }

  body(): ApiError & Record<string, unknown> {
    const { problems, extra } = this.options;
    return {
      ...extra,
      error: { code: this.code, message: this.message, help: this.help, ...(problems ? { problems } : {}) },
    };
  }
}
