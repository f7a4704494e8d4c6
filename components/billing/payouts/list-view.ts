import { createParser } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

const parseAsDay = createParser({
  parse: (text) => (/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) ? text : null),
  serialize: (text) => text,
});

/** URL parameters of the list of open earnings, shared by server and browser. */
export const payoutParsers = {
  ...listParsers(["open", "-open", "name", "-name"], "-open"),
  until: parseAsDay,
};
