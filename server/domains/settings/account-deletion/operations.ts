import { handle } from "@/server/core/contract";
import { confirmDeletion, getDeletionCertificate, getDeletionForecast, requestDeletion } from "./contract";
import { read } from "./service/certificate";
import { confirm } from "./service/confirm";
import { forecast } from "./service/forecast";
import { request } from "./service/request";

export const accountDeletionOperations = {
  forecast: handle(getDeletionForecast, forecast),
  request: handle(requestDeletion, request),
  confirm: handle(confirmDeletion, confirm),
  certificate: handle(getDeletionCertificate, read),
};
