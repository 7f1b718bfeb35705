/** What a client is told of, with the status that says whose fault it is. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}
