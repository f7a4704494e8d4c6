import { listParsers, parseAsDay } from "@/components/api/list-parsers";

/** URL parameters of the list of open earnings, shared by server and browser. */
export const payoutParsers = {
  ...listParsers(["open", "-open", "name", "-name"], "-open"),
  until: parseAsDay,
};
