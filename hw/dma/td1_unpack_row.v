// SPDX-License-Identifier: 0BSD
// Unpack a row: the values that it has, of a window of them, go into the lanes whose mask is 1.
// The row comes a clock later.
`default_nettype none

module td1_unpack_row #(
    parameter LANES  = 16,  // of a row: a power of two
    parameter WIDTH  = 16,  // bits of a value: a power of two
    parameter WINDOW = 64   // values in the window: a power of two, more than LANES
) (
    input  wire                      clk_i,     // clock
    input  wire [  WINDOW*WIDTH-1:0] values_i,
    input  wire [$clog2(WINDOW)-1:0] first_i,   // which is the row's first one
    input  wire [         LANES-1:0] masks_i,
    output wire [   LANES*WIDTH-1:0] row_o
);
  // The highest bit of a shift first: then fewer bits are left for those below.
  reg [WINDOW*WIDTH-1:0] shifted;
  integer b;
  always @* begin
    shifted = values_i;
    for (b = $clog2(WINDOW) - 1; b >= 0; b = b - 1) begin
      if (first_i[b]) shifted = shifted >> (WIDTH << b);
    end
  end
  wire unused = &{1'b0, shifted};
  reg [LANES*WIDTH-1:0] values_q;
  reg [LANES-1:0] masks_q;
  always @(posedge clk_i) begin
    values_q <= shifted[LANES*WIDTH-1:0];
    masks_q  <= masks_i;
  end

  genvar l;
  for (l = 0; l < LANES; l = l + 1) begin : g_lane
    localparam BITS = l > 0 ? $clog2(l + 1) : 1;
    localparam [BITS-1:0] ONE = 1;
    reg [BITS-1:0] lower;  // values of lanes below this one
    integer k;
    always @* begin
      lower = {BITS{1'b0}};
      for (k = 0; k < l; k = k + 1) lower = lower + (ONE & {BITS{masks_q[k]}});
    end
    reg [(l+1)*WIDTH-1:0] own;
    integer i;
    always @* begin
      own = values_q[(l+1)*WIDTH-1:0];
      for (i = BITS - 1; i >= 0; i = i - 1) if (lower[i]) own = own >> (WIDTH << i);
    end
    wire unused_own = &{1'b0, own};
    assign row_o[l*WIDTH+:WIDTH] = own[WIDTH-1:0] & {WIDTH{masks_q[l]}};
  end
endmodule
`default_nettype wire
