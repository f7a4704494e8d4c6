import { handle } from "@/server/core/contract";
import {
  deleteMailAccount,
  deleteSiteMailAccount,
  getMailAccount,
  getSiteMailAccount,
  putMailAccount,
  putSiteMailAccount,
  testMailAccount,
  testSiteMailAccount,
} from "./contract";
import { get, put, remove } from "./service/manage";
import { test } from "./service/test-mail";

export const mailAccountOperations = {
  get: handle(getMailAccount, get),
  put: handle(putMailAccount, put),
  remove: handle(deleteMailAccount, remove),
  test: handle(testMailAccount, test),
  ofSite: handle(getSiteMailAccount, get),
  putOfSite: handle(putSiteMailAccount, put),
  removeOfSite: handle(deleteSiteMailAccount, remove),
  testOfSite: handle(testSiteMailAccount, test),
};
