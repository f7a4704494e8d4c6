import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

/** Reason codes only: a provider's own text may contain secrets. */
export const RefusalReason = z
  .enum([
    "token_refused",
    "other_account",
    "not_found",
    "forbidden",
    "insecure",
    "not_public",
    "unreachable",
    "not_configured",
  ])
  .meta({ example: "token_refused" });

/** `number_…`: the number cannot get the message. */
export const TestMessageRefusal = z
  .enum([
    "unsupported",
    "deactivated",
    "token_dead",
    "token_refused",
    "not_ready",
    "no_template",
    "no_credit",
    "number_not_allowed",
    "number_unreachable",
    "forbidden",
    "unreachable",
  ])
  .meta({ example: "number_not_allowed" });
export type TestMessageRefusal = z.output<typeof TestMessageRefusal>;

export const connectionErrors = {
  connection_refused: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: RefusalReason.meta({
          description:
            "Why the connection was refused. `token_refused`: the credentials are rejected. " +
            "`other_account`: they belong to another bot or account. `not_found`: the number, page, " +
            "instance or server does not exist. `forbidden`: the credentials lack rights. `insecure`: the server offers no valid encryption. `not_public`: the address is not " +
            "public. `unreachable`: no usable response. `not_configured`: this installation has no app " +
            "at the provider.",
        }),
      })
      .meta({ id: "ConnectionRefused", description: "The connection was refused; see `reason`." }),
  },
  test_message_refused: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: TestMessageRefusal.meta({
          description:
            "Why no message was sent. `unsupported`: the channel has no test message. `deactivated`: the " +
            "connection is switched off. `token_dead`: its token is dead. `token_refused`: the provider rejects " +
            "the token now. `not_ready`: the sender is not registered or paired at the provider. `no_template`: " +
            "the account has no template `hello_world`. `no_credit`: the account cannot pay for messages. " +
            "`number_not_allowed`: the number must be confirmed at the provider, or its country enabled. " +
            "`number_unreachable`: the number does not get messages of this channel. `forbidden`: the provider " +
            "forbids it. `unreachable`: no usable response.",
        }),
      })
      .meta({ id: "TestMessageRefused", description: "No test message was sent; see `reason`." }),
  },
  /** The connection, or account-wide settings of its provider account, are being removed. */
  connection_in_cleanup: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
