import { request } from "node:http";

export interface Answer {
  status: number;
  text: string;
}

/**
 * Posts JSON, over a connection of its own, as one that was kept may be closed just when it is taken again; nothing here gives
 * up after a time. What a binary had no time to read within its own (408) it has not taken, and is asked again.
 */
export async function post(url: string, body: unknown): Promise<Answer> {
  for (;;) {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const asked = request(url, { method: "POST", headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      });
      asked.on("error", reject);
      asked.end(JSON.stringify(body));
    });
    if (answer.status !== 408) return answer;
  }
}
